# Reads NAME.pvd and its .vtr files without knowing the writer: checks sizes, offsets and times, and prints
# the range of every array.
import os, struct, sys
import xml.etree.ElementTree as ET

def read_vtr(path):
    raw = open(path, 'rb').read()
    i = raw.index(b'<AppendedData')
    j = raw.index(b'_', i) + 1
    tree = ET.fromstring(raw[:i] + b'</VTKFile>')
    assert tree.get('type') == 'RectilinearGrid' and tree.get('header_type') == 'UInt64'
    order = '<' if tree.get('byte_order') == 'LittleEndian' else '>'
    grid = tree.find('RectilinearGrid'); piece = grid.find('Piece')
    ext = [int(v) for v in piece.get('Extent').split()]
    n = [ext[2*d+1]-ext[2*d] for d in range(3)]
    cells = 1
    for m in n: cells *= max(m, 1)
    def array(e):
        at = j + int(e.get('offset'))
        size = struct.unpack_from(order+'Q', raw, at)[0]
        t = e.get('type'); c = int(e.get('NumberOfComponents'))
        w, f = (8, 'd') if t == 'Float64' else (1, 'B')
        v = struct.unpack_from(order+str(size//w)+f, raw, at+8)
        return e.get('Name'), c, v
    out = {'t': float(grid.find('FieldData/DataArray').text), 'n': n, 'cells': {}, 'coords': []}
    for e in piece.find('CellData'):
        name, c, v = array(e)
        assert len(v) == c*cells, (name, len(v), cells)
        out['cells'][name] = (c, v)
    for d, e in enumerate(piece.find('Coordinates')):
        name, c, v = array(e)
        assert len(v) == n[d]+1
        out['coords'].append((name, v))
    last = max(piece.iter('DataArray'), key=lambda e: int(e.get('offset')))
    at = j+int(last.get('offset')); size = struct.unpack_from(order+'Q', raw, at)[0]
    assert raw[at+8+size:].strip() == b'</AppendedData>\n</VTKFile>', raw[at+8+size:][:50]
    return out

def read_pvd(path):
    return [(float(e.get('timestep')), e.get('file')) for e in ET.parse(path).getroot().iter('DataSet')]
if __name__ == '__main__':
    for t, f in read_pvd(sys.argv[1]):
        v = read_vtr(os.path.join(os.path.dirname(sys.argv[1]), f))
        assert v['t'] == t
        print(f, t, v['n'], {k: (c, min(a), max(a)) for k, (c, a) in v['cells'].items()}, [(n, a[0], a[-1]) for n, a in v['coords']])
