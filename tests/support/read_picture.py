# Reads a PNG or an SVG with PNGs inside without knowing the writer: checks sums and sizes, prints what there is.
import base64, re, struct, sys, zlib
import xml.etree.ElementTree as ET

def png(data):
    assert data[:8] == b'\x89PNG\r\n\x1a\n'
    at, raw, size = 8, b'', None
    while at < len(data):
        n, kind = struct.unpack_from('>I4s', data, at)
        body = data[at + 8:at + 8 + n]
        assert struct.unpack_from('>I', data, at + 8 + n)[0] == zlib.crc32(kind + body)
        if kind == b'IHDR': size = struct.unpack('>IIBB', body[:10])
        if kind == b'IDAT': raw += body
        at += 12 + n
    assert kind == b'IEND' and size[2:] == (8, 2)
    assert len(zlib.decompress(raw)) == size[1] * (3 * size[0] + 1)
    return size[:2]

for path in sys.argv[1:]:
    data = open(path, 'rb').read()
    if path.endswith('.png'):
        print(path, 'pixels', *png(data))
        continue
    tree = ET.fromstring(data)
    kinds = [e.tag.split('}')[1] for e in tree.iter()]
    print(path, tree.get('width'), tree.get('height'), {k: kinds.count(k) for k in ('image', 'rect')})
    for e in tree.iter():
        if e.tag.endswith('image'): print('image', *png(base64.b64decode(e.get('href').split(',')[1])))
    print([e.text for e in tree.iter() if e.tag.endswith('text') and not re.fullmatch(r'[-0-9.e+]+', e.text)])
    print('lines' if kinds.count('polyline') > 40 else 'no lines')
