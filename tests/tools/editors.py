"""Every shipped model, coloured by the TextMate grammar: all text has a scope, statement words and functions theirs.
usage: editors.py GRAMMAR.json STATEMENTS MODEL.rg ...      (STATEMENTS: words with commas between them)"""
import json
import re
import sys

grammar = json.load(open(sys.argv[1], encoding="utf-8"))
statements = set(sys.argv[2].split(","))
rules = [(re.compile(r["match"]), r.get("name"), r.get("captures")) for r in grammar["patterns"]]
bad = 0


def scopes(line):
    """(text, scope) of one line; scope None: no rule fits."""
    at = 0
    while at < len(line):
        found = [(m.start(), k, m) for k, (rule, _, _) in enumerate(rules) if (m := rule.search(line, at)) and m.end() > at]
        if not found:
            if line[at:].strip():
                yield line[at:], None
            return
        start, k, m = min(found)[0:3]
        if line[at:start].strip():
            yield line[at:start], None
        captures = rules[k][2]
        yield (m.group(1), captures["1"]["name"]) if captures else (m.group(0), rules[k][1])
        at = m.end()


for path in sys.argv[3:]:
    text = open(path, encoding="utf-8").read()
    declared = set(re.findall(r"^\s*fun\s+(\w+)", text, re.M))
    for line in re.findall(r"^\s*table\s.*", text, re.M):
        declared.update(re.findall(r"\w+", line))
    for number, line in enumerate(text.split("\n"), 1):
        parts = list(scopes(line))
        for k, (part, scope) in enumerate(parts):
            where = f"{path}:{number}"
            is_call = k + 1 < len(parts) and parts[k + 1][0] == "(" and scope == "variable.other.regula"
            in_boundary = re.match(r"\s*(boundary|output|draw|well|solid)\b", line) or "boundary" in text
            if scope is None:
                print(f"{where}: no rule for '{part.strip()}'")
                bad = 1
            elif is_call and part not in declared and not in_boundary:
                print(f"{where}: the function '{part}' is not highlighted")
                bad = 1
        first = re.match(r"\s*([a-z]+)\s+[\w\"(]", line)
        if first and first.group(1) in statements and parts[0] != (first.group(1), "keyword.control.regula"):
            print(f"{path}:{number}: the statement word '{first.group(1)}' is not highlighted")
            bad = 1
sys.exit(bad)
