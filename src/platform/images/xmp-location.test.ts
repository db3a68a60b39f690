import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { withoutLocation } from '#src/platform/images/strip-location.ts';
import { stripped } from '#tests/support/location.ts';
import { quartersJpeg, segment, withSegments, xmpSegment } from '#tests/support/pictures.ts';
import { processorMsOf } from '#tests/support/processor-time.ts';

const plain = await quartersJpeg(64, 48);

describe('XMP', () => {
  const packet = (inside: string): string =>
    `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF>${inside}</rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;

  it.each([
    [
      'attributes',
      '<rdf:Description exif:GPSLatitude="40,26.8N" dc:format="image/jpeg" exif:GPSLongitude=\'73,59.1W\' photoshop:City="Springfield"/>',
    ],
    [
      'elements',
      '<rdf:Description><exif:GPSLatitude>40,26.8N</exif:GPSLatitude><photoshop:City>Springfield</photoshop:City><dc:format>image/jpeg</dc:format></rdf:Description>',
    ],
    [
      'elements within elements',
      '<Iptc4xmpExt:LocationShown><rdf:li exif:GPSLatitude="40,26.8N"><x>dc:format image/jpeg Springfield</x></rdf:li></Iptc4xmpExt:LocationShown>',
    ],
    [
      'names of drones and of the web',
      '<rdf:Description drone-dji:GpsLatitude="40.26.8" drone-dji:GpsLongtitude="73.59" geo:lat="40,26.8N" geo:long="73" dc:format="image/jpeg" City="Springfield"/>',
    ],
    [
      'other prefixes',
      '<rdf:Description ns1:GPSLatitude="40,26.8N" ns2:gpsAltitude="11"><a>dc:format image/jpeg Springfield</a></rdf:Description>',
    ],
  ])('%s', (_, inside) => {
    const original = withSegments(plain, xmpSegment(packet(inside)));
    const text = stripped(original).toString('latin1');
    expect(text).not.toMatch(/40[,.]26|73|gps|:lat|:long|altitude/i);
    expect(text).toContain('image/jpeg');
    expect(text).toContain('Springfield');
    expect(text).toContain('</rdf:RDF></x:xmpmeta><?xpacket end="w"?>');
  });

  it('an element that is never closed removes the rest of the packet, and nothing else', () => {
    const original = withSegments(plain, xmpSegment('<a>kept</a><exif:GPSLatitude>40,26.8N'));
    const result = stripped(original);
    expect(result.includes('<a>kept</a>')).toBe(true);
    expect(result.includes('40,26')).toBe(false);
  });

  it('text in two-byte characters is blanked completely', () => {
    const original = withSegments(
      plain,
      segment(
        0xe1,
        Buffer.concat([Buffer.from('http://ns.adobe.com/xap/1.0/\0'), Buffer.from('<exif:GPSLatitude>40', 'utf16le')]),
      ),
    );
    expect(stripped(original).includes(Buffer.from('40', 'utf16le'))).toBe(false);
  });

  it('a property that continues in the next piece of an extended packet is removed; the packet keeps a valid name', () => {
    const text = `<rdf:RDF><a>${'x'.repeat(300)}</a><exif:GPSLatitude>40,26.8N</exif:GPSLatitude><b>kept</b></rdf:RDF>`;
    const name = createHash('md5').update(text).digest('hex').toUpperCase();
    const piece = (from: number, to: number): Buffer => {
      const head = Buffer.alloc(8);
      head.writeUInt32BE(text.length);
      head.writeUInt32BE(from, 4);
      return segment(
        0xe1,
        Buffer.concat([
          Buffer.from(`http://ns.adobe.com/xmp/extension/\0${name}`),
          head,
          Buffer.from(text.slice(from, to)),
        ]),
      );
    };
    const cut = text.indexOf('Latitude>40');
    // The pieces are in the file in the wrong order, as they may.
    const original = withSegments(
      plain,
      xmpSegment(`<x xmpNote:HasExtendedXMP="${name}"/>`),
      piece(cut, text.length),
      piece(0, cut),
    );
    const result = stripped(original).toString('latin1');
    expect(result).not.toMatch(/GPS|Latitude|26\.8/);
    expect(result).toContain('<b>kept</b>');
    const clean = text.replace(/<exif.*exif:GPSLatitude>/, (match) => ' '.repeat(match.length));
    const newName = createHash('md5').update(clean).digest('hex').toUpperCase();
    expect(result.split(newName)).toHaveLength(4);
    expect(result).not.toContain(name);
  });

  it('takes time in proportion to its length, whatever it contains', async () => {
    const evil = [
      'a:'.repeat(30_000),
      ' a.'.repeat(20_000),
      '<a:GPS'.repeat(10_000),
      ' b:gps="'.repeat(8_000),
      `${'g'.repeat(60_000)}ps:gps`,
    ];
    for (const inside of evil) {
      const jpeg = withSegments(plain, xmpSegment(`gps ${inside}`.slice(0, 65_000)));
      expect(await processorMsOf(() => withoutLocation(jpeg))).toBeLessThan(1_500);
    }
  });
});
