/** The grammar of each field: what is taken and in which form, what is refused. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FIELDS } from '../../src/model/domain/record.ts'
import { parseDomainName, unicodeName } from '../../src/model/domain/hostname.ts'
import { HOSTILE_STRINGS, titled } from './hostile.ts'
import { runs } from '../kit/tier.ts'

const value = (field: keyof typeof FIELDS, input: unknown): unknown => {
  const parsed = FIELDS[field].parse(input)
  return parsed.ok ? parsed.value : null
}

describe('domain names', () => {
  it.each([
    ['app.example.com', 'app.example.com'],
    ['App.Example.COM.', 'app.example.com'],
    ['*.example.com', '*.example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['*.bücher.example', '*.xn--bcher-kva.example'],
    ['a.b.c.d.e.example', 'a.b.c.d.e.example'],
    ['1.example', '1.example'],
  ])('%s is stored as %s', (input, stored) => {
    expect(parseDomainName(input)).toEqual({ ok: true, value: stored })
  })

  it.each(
    titled(['localhost', '127.0.0.1', '10.0.0.1.', '1.2.3.0x7f', '[::1]', 'example', ...HOSTILE_STRINGS]),
  )('%s is refused', (_title, input) => {
    expect(parseDomainName(input).ok).toBe(false)
  })

  it('shows the U-label beside the stored A-label', () => {
    expect(unicodeName('*.xn--bcher-kva.example')).toBe('*.bücher.example')
  })

  it('accepts only LDH names, whatever Unicode comes in', () => {
    const label = fc.string({ unit: 'binary', minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(fc.array(label, { minLength: 1, maxLength: 4 }), (labels) => {
        const parsed = parseDomainName(labels.join('.'))
        if (parsed.ok)
          expect(parsed.value).toMatch(/^(?:\*\.)?(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]+$/)
      }),
      { numRuns: runs(20_000) },
    )
  })
})

describe('backend_host', () => {
  it.each([
    ['10.0.0.7', '10.0.0.7'],
    ['127.0.0.1', '127.0.0.1'],
    ['::1', '::1'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['::ffff:10.0.0.7', '10.0.0.7'],
    ['nas', 'nas'],
    ['my_container', 'my_container'],
    ['Backend.Example.', 'backend.example'],
  ])('%s is stored as %s', (input, stored) => {
    expect(value('backend_host', input)).toBe(stored)
  })

  it.each(
    titled([
      '0.0.0.0',
      '0.1.2.3',
      '00.0.0.0',
      '000.0.0.0',
      '0',
      '0x0',
      '0.0',
      '0x0.0',
      '::',
      '0:0:0:0:0:0:0:0',
      '::0.0.0.0',
      '[::]',
      '169.254.169.254',
      '169.254.1.1',
      '0xa9fea9fe',
      '0xa9.0xfe.0xa9.0xfe',
      '2852039166',
      '0251.0376.0251.0376',
      '169.254.43518',
      '169.16689662',
      '::ffff:169.254.169.254',
      '::ffff:a9fe:a9fe',
      '0:0:0:0:0:ffff:a9fe:a9fe',
      '[::ffff:169.254.169.254]',
      '64:ff9b::a9fe:a9fe',
      '2002:a9fe:a9fe::',
      'fd00:ec2::254',
      'FD00:EC2:0:0::254',
      'fd20:ce::254',
      '100.100.100.200',
      '::ffff:100.100.100.200',
      '224.0.0.1',
      '239.255.255.250',
      '240.0.0.1',
      '255.255.255.255',
      '::ffff:224.0.0.1',
      'ff02::1',
      'FF0E::1',
      'fe80::1',
      'fe80::1%eth0',
      'febf::1',
      '127.1',
      '0x7f.1',
      '2130706433',
      '017700000001',
      '010.1.1.1',
      '10.0.0.1.',
      '１２７.0.0.1',
      '169。254。169。254',
      ...HOSTILE_STRINGS.filter(
        (text) => !['a_b.example.com', '__proto__', 'constructor', 'null', 'NaN', '1e3'].includes(text),
      ),
    ]),
  )('%s is refused in every spelling', (_title, input) => {
    expect(value('backend_host', input)).toBeNull()
    expect(FIELDS.backend_host.parse(input).ok).toBe(false)
  })
})

describe('other fields', () => {
  it.each(['/', '/app', '/app/', '/a/b.c/~d_e-f'])('health_check_path takes %s', (path) => {
    expect(value('health_check_path', path)).toBe(path)
  })

  it('default_path refuses the bare root, which would redirect to itself', () => {
    expect(FIELDS.default_path.parse('/').ok).toBe(false)
  })

  it.each(titled([...HOSTILE_STRINGS, 'app', '/a/..', '/a b', `/${'a'.repeat(512)}`]))(
    'paths refuse %s',
    (_title, path) => {
      expect(FIELDS.default_path.parse(path).ok).toBe(false)
      // A query alone makes the difference between the two.
      expect(FIELDS.health_check_path.parse(path).ok).toBe(path === '/a?b=c')
    },
  )

  it.each(['/up?full=1', '/?a=b&c=%20d', '/api/health?q=a/b?c', '/up?x'])(
    'a health check may ask with a query: %s',
    (path) => expect(value('health_check_path', path)).toBe(path),
  )

  it.each([
    '/up?',
    '/up?a b',
    '/up?a=%',
    '/up?a=%2',
    '/up?a#b',
    '/up?{{x}}',
    '/up?`x`',
    '/../up?a=b',
    'up?a=b',
  ])('its query has a grammar, too: %s is refused', (path) =>
    expect(FIELDS.health_check_path.parse(path).ok).toBe(false),
  )

  it.each([
    ['https://app.example.com', 'https://app.example.com'],
    ['HTTPS://APP.example.com:443/', 'https://app.example.com'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['http://[::1]:3000', 'http://[::1]:3000'],
  ])('cors_origin %s is stored as %s', (input, stored) => {
    expect(value('cors_origin', input)).toBe(stored)
  })

  it.each(
    titled([
      '*',
      'null',
      'https://',
      'https://*.example.com',
      'https://a.example/path',
      'https://a.example?x',
      'https://a.example#x',
      'https://user@a.example',
      'https://user:pw@a.example',
      'ftp://a.example',
      'javascript:alert(1)',
      'file:///etc/passwd',
      '//a.example',
      'a.example',
      'https:a.example',
      'https:///a.example',
      'https://a.example\\@b.example',
      'https://a b',
      'https://%7B%7Bx.example',
      'https://x%7D%7D.example',
      'https://%2A.example',
      ...HOSTILE_STRINGS.filter((text) => text !== 'http://a.example.com'),
    ]),
  )('cors_origin refuses %s', (_title, input) => {
    expect(FIELDS.cors_origin.parse(input).ok).toBe(false)
  })

  it('an origin that is taken is taken again as it is kept, however it was spelt', () => {
    const part = fc.constantFrom(
      'a',
      '.',
      'B',
      '%7B',
      '%7b%7B',
      '{',
      '%41',
      '%25',
      '%C3%BC',
      'ü',
      '-',
      '_',
      '~',
      '[',
      '*',
    )
    const origin = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => `https://${parts.join('')}`)
    fc.assert(
      fc.property(origin, (text) => {
        const parsed = FIELDS.cors_origin.parse(text)
        if (parsed.ok) expect(FIELDS.cors_origin.parse(parsed.value)).toEqual(parsed)
      }),
      { numRuns: 500 },
    )
  })

  it.each([0, -1, 65536, 1.5, Number.NaN, '80', true, [], {}])('backend_port refuses %j', (input) => {
    expect(FIELDS.backend_port.parse(input).ok).toBe(false)
  })

  it.each(
    titled(
      HOSTILE_STRINGS.filter(
        (text) => !['constructor', 'null', '1e3', '0x7f000001', '2130706433'].includes(text),
      ),
    ),
  )('middleware names and tags refuse %s', (_title, name) => {
    expect(FIELDS.middleware_config.parse({ extra_middlewares: [name] }).ok).toBe(false)
    expect(FIELDS.tags.parse([name]).ok).toBe(false)
    expect(FIELDS.tcp_entrypoint.parse(name).ok).toBe(false)
  })

  it('no field takes a value of another type', () => {
    const nullable = [
      'backend_host',
      'backend_port',
      'backend_scheme',
      'backend_tls',
      'tcp_entrypoint',
      'cors_origin',
      'default_path',
      'health_check_path',
      'middleware_config',
      'static_ip',
      'dns_ttl',
      'dns_proxied',
      'note',
    ]
    for (const [field, { parse }] of Object.entries(FIELDS)) {
      for (const wrong of [undefined, 7.5, Symbol.iterator, () => 1, [[]], { a: 1 }])
        expect(parse(wrong).ok).toBe(false)
      expect(parse(null).ok).toBe(nullable.includes(field))
    }
  })

  it('notes refuse control characters and template marks, and take ordinary text', () => {
    expect(value('note', 'Grüße an „Ops“ 🚀')).toBe('Grüße an „Ops“ 🚀')
    for (const bad of ['a\nb', 'a\u0007', 'a\u2029', '{{x', 'x}}', '\udfff', 'x'.repeat(1001)])
      expect(FIELDS.note.parse(bad).ok).toBe(false)
  })
})
