# Fields on grids: the targets of speed at equal true error, beside peers that were measured on the same kind of machine
# (bench/peers-grids.csv).  Every line is a run of `regula solve`; times are processor seconds of the whole program, as
# those of the peers are, by one thread.
#   python3 bench/grids.py [--quick]
import csv, json, math, os, random, resource, subprocess, sys, tempfile, time

build = os.environ.get('BUILD', 'build')
regula = os.path.join(build, 'regula')
top = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
examples = os.path.join(top, 'examples', 'grids')
quick = '--quick' in sys.argv
load = os.getloadavg()[0]  # before this program's own
folder = tempfile.mkdtemp()


def run(model, *options, limit=600, threads=1, estimate=False):
    begin, before = time.time(), resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        r = subprocess.run([regula, 'solve', model, '--json', *(() if estimate else ('--no-estimate',)), '--threads', str(threads),
                            *options], capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return {'status': 'stopped', 'seconds': math.inf, 'wall': limit, 'message': f'more than {limit} s'}
    out = json.loads(r.stdout)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    out['wall'] = time.time() - begin
    out['seconds'] = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return out


def judge(what, found, target, unit, note=''):
    if found is None:
        print(f'target open: {what}: {note}')
        return
    word = 'met' if found <= target else 'missed'
    print(f'target {word}: {what}: {found:.3g} {unit}, target {target:g}{note and "; " + note}', flush=True)


def write(name, text):
    path = os.path.join(folder, name)
    with open(path, 'w') as f:
        f.write(text)
    return path


def best(model, *options, limit=600):
    runs = [run(model, *options, limit=limit) for _ in range(1 if quick else 3)]
    good = [r for r in runs if r['status'] == 'ok']
    return min(good, key=lambda r: r['seconds']) if good else runs[0]


def example(name):
    return os.path.join(examples, name + '.rg')


def peers():
    path = os.path.join(top, 'bench', 'peers-grids.csv')
    print('peers, stored figures (processor seconds):')
    for row in csv.DictReader(open(path)):
        print(f"  {row['case']:28} {row['solver']:34} {row['grid']:8} error {row['error'] or '-':8} {row['cpu_seconds']}")
    for program in ('FreeFem++', 'simpleFoam'):
        if subprocess.run(['sh', '-c', f'command -v {program}'], capture_output=True).returncode:
            print(f'  {program} is not installed here: stored figures only')


def steps():
    for n, target in ((128, 29), (256, 38), (512, 42)):
        if quick and n > 128:
            continue
        k = .2 / n
        r = best(example('cavity'), '--set', f'N={n}', '--set', 'Re=1000', '--step', str(k), '--to', str(100 * k))
        judge(f'one cn step, {n}^2', 1e9 * r['seconds'] / r['steps'] / n**2 if r['status'] == 'ok' else None, target,
              'ns per cell')


def example41():
    for mu, n, steps_taken, wanted, target in ((.001, 140, 240, 5e-5, .14), (.001, 280, 280, 1.3e-5, .75),
                                               (.1, 270, 270, 2.6e-5, .7)):
        if quick and n > 140:
            continue
        r = best(example('example41'), '--set', f'N={n}', '--set', f'mu={mu}', '--step', str(1 / steps_taken), '--at', '1')
        error = r['errors_l2']['u']
        judge(f'example41, mu = {mu}, {n}^2, error of u {error:.2g} (wanted {wanted:g})',
              r['seconds'] if error <= wanted else None, target, 's', '' if error <= wanted else 'the error is larger')


def cavity():
    extrema = {'umin': -.3885698, 'vmax': .3769447, 'vmin': -.5270771}
    if quick:
        return
    # the viscosity of this grid keeps steps stable up to --cfl 1: half of those of the default, the same steady flow
    for values, wanted, target in (('values', 7.5e-3, 6), ('extrapolated', 1e-3, 8)):
        r = run(example('cavity'), '--set', 'Re=1000', '--set', 'N=128', '--to', '200', '--cfl', '1', estimate=values != 'values')
        error = max(abs(r[values][k] - v) for k, v in extrema.items())
        judge(f'cavity Re = 1000 to steady, 128^2, --cfl 1, {r["steps"]} steps, {values}, error {error:.2g} (wanted {wanted:g})',
              r['seconds'] if error <= wanted else None, target, 's', '' if error <= wanted else 'the error is larger')


def rough(n, kind):
    random.seed(1)
    with open(os.path.join(folder, 'k.csv'), 'w') as f:
        for j in range(n):
            if kind == 'white':
                row = [10**(6 * random.random() - 3) for _ in range(n)]
            else:  # channels: winding strips of high permeability
                row = [1e6 if abs((i / n + .1 * math.sin(12 * j / n)) * 8 % 1 - .5) < .1 else 1 for i in range(n)]
            f.write(','.join(f'{v:.6g}' for v in row) + '\n')


def systems():
    plane = 'domain x = 0..1 cells {n}, y = 0..1 cells {n}\n'
    rest = 'field s\n0 = div({k}*grad(s)) + 1\nboundary s(left) = 0, s(right) = 1\noutput m = mean(s)\n'
    for what, n, kind, target in (('variable coefficient, contrast 1', 512, None, .05), ('white noise 1e6', 256, 'white', .25),
                                  ('channels 1e6', 512, 'channels', .9)):
        if quick and n > 256:
            continue
        data = ''
        if kind:
            rough(n, kind)
            data = 'data K = "k.csv"\n'
        k = 'K' if kind else '(1 + .5*sin(7*x)*cos(5*y))'
        tol = '1e-10' if kind else '1e-8'  # as the target says
        r = best(write('system.rg', plane.format(n=n) + data + rest.format(k=k)), '--solver_tol', tol, limit=120)
        solver = ', '.join(r['grid']['solvers']) if r['status'] == 'ok' else r['message']
        judge(f'{what}, {n}^2, setup + solve', r['seconds'] if r['status'] == 'ok' else None, target, 's', solver)
    if quick:
        return
    space = 'domain x = 0..1 cells 96, y = 0..1 cells 96, z = 0..1 cells 96\n'
    for what, k, target in (('contrast 1', '(1 + .5*sin(7*x)*cos(5*y))', 1),
                            ('channels 1e6', 'if(abs(sin(25*x + 3*sin(6*z))) < .2, 1e6, 1)', 3)):
        r = best(write('space.rg', space + rest.format(k=k)), limit=300)
        judge(f'{what}, 96^3, setup + solve', r['seconds'] if r['status'] == 'ok' else None, target, 's', r.get('message', ''))


def spot():
    for n, target in ((40, 1), (80, 4)):
        if quick and n > 40:
            continue
        r = best(example('five-spot'), '--set', f'N={n}', '--set', 'M=41', '--to', '.02')
        judge(f'five-spot step, M = 41, {n}^2', 1e3 * r['seconds'] / r['steps'], target, 'ms')


def growth():
    if quick:
        return
    for name, sizes, power, t in (('cavity', (64, 1024), 2, .02), ('taylor-green-3d', (32, 96), 3, .05)):
        cost = []
        for n in sizes:
            r = run(example(name), '--set', f'N={n}', '--step', str(t / 10), '--to', str(t))
            cost.append(r['seconds'] / r['steps'] / n**power)
        judge(f'{name}: time per step and cell, {sizes[1]} against {sizes[0]} cells', cost[1] / cost[0], 1.3, 'times')


def start():
    r = best(example('cavity'), '--set', 'N=32', '--to', '.001')
    judge('32^2 model, start to exit', 1e3 * r['wall'], 30, 'ms')


def threads():
    """Seconds of one thread over those of two; the numbers are the same."""
    if quick:
        return
    for name, n, k in (('cavity', 512, 1e-4), ('cavity', 1024, 1e-4), ('taylor-green-3d', 96, .005)):
        times, values = {1: [], 2: []}, []
        for count in (1, 2, 1, 2, 1, 2):
            r = run(example(name), '--set', f'N={n}', '--step', str(k), '--to', str(20 * k), threads=count)
            times[count].append(r['wall'])
            values.append(r['values'])
        same = 'same numbers' if all(v == values[0] for v in values) else 'OTHER NUMBERS'
        print(f'two threads against one, {name}, {n} cells a side: {min(times[1]) / min(times[2]):.2f} times as fast, {same}',
              flush=True)


def seconds_per_step(name, n, k, ranks, counts=(1, 4)):
    """Wall time of a step on so many ranks of PETSc, without what starts and ends a run."""
    walls = []
    for count in counts:
        best = math.inf
        for _ in range(2):
            begin = time.time()
            r = subprocess.run([regula, 'solve', example(name), '--json', '--no-estimate', '--threads', '1', '--ranks', str(ranks),
                                '--solver', 'petsc' if ranks == 1 else 'auto', '--set', f'N={n}', '--step', str(k),
                                '--to', str(count * k)], capture_output=True, text=True, timeout=600)
            best = min(best, time.time() - begin)
            if r.returncode != 0:
                raise RuntimeError(r.stderr.strip()[:200])
        walls.append(best)
    return (walls[1] - walls[0]) / (counts[1] - counts[0])


def ranks():
    what = '2 ranks against 1'
    os.environ.setdefault('REGULA_MPIRUN', 'mpirun -q --allow-run-as-root')  # of a container
    os.environ.setdefault('OMP_NUM_THREADS', '1')
    if quick:
        return
    if not os.access(os.path.join(build, 'regula-grid'), os.X_OK):
        judge(what, None, 0, '', 'there is no regula-grid (make grid)')
    elif (os.cpu_count() or 1) < 2 or load > .5:
        judge(what, None, 0, '', f'needs two idle cores; the load was {load:.1f} when this began')
    else:
        for name, n, k, size in (('cavity', 512, 1e-4, '512^2'), ('taylor-green-3d', 96, .005, '96^3')):
            one, two = (seconds_per_step(name, n, k, count) for count in (1, 2))
            word = 'met' if one / two >= 1.5 else 'missed'
            print(f'target {word}: {what}, {name}, {size}: {one / two:.2f} times as fast, target 1.5; {1e3 * one:.0f} and '
                  f'{1e3 * two:.0f} ms a step', flush=True)


for part in (steps, example41, cavity, systems, spot, growth, start, threads, ranks):
    try:
        part()
    except Exception as e:  # a part that cannot be measured leaves the others
        print(f'target open: {part.__name__}: {type(e).__name__} {e}')
peers()
