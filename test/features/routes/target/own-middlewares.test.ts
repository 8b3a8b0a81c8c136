/** The operator's own catalogue file: everything that Traefik takes comes in, everything that would cost the file stays out. */
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { Secret } from '../../../../src/kernel/secret.ts'
import { parseOwnMiddlewares } from '../../../../src/features/routes/middlewares/own-middlewares.ts'
import { someSettings, textOfRows } from './settings.ts'

const errorsOf = (data: unknown): string[] =>
  parseOwnMiddlewares(data).errors.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`)
const withConfig = (config: unknown): unknown => ({ mine: { config } })

describe('an own entry', () => {
  it.each<[string, unknown]>([
    ['no file', undefined],
    ['an empty file', null],
    ['an empty map', {}],
  ])('is absent in %s', (_title, data) => {
    expect(parseOwnMiddlewares(data)).toEqual({ entries: new Map(), errors: [] })
  })

  it('comes in with its defaults: description, side of the SSO check, harm by kind', () => {
    const { entries, errors } = parseOwnMiddlewares({
      limit: { config: { rateLimit: { average: 5, period: '10s' } } },
      'small-bodies': {
        config: { buffering: { maxRequestBodyBytes: 1024 } },
        unfit_for: { static: 'has no bodies' },
      },
      embed: { config: { headers: { contentSecurityPolicy: "frame-ancestors 'self' https://a.example" } } },
      backend: { config: { headers: { customRequestHeaders: { Authorization: 'Basic x' } } } },
      login: {
        description: 'Our second door.',
        position: 'before_sso',
        config: { forwardAuth: { address: 'http://x', forwardBody: true } },
      },
    })
    expect(errors).toEqual([])
    expect(
      [...entries].map(([name, { position, unfit_for }]) => [name, position, Object.keys(unfit_for)]),
    ).toEqual([
      ['limit', 'before_sso', []],
      ['small-bodies', 'after_sso', ['websocket', 'static']],
      ['embed', 'before_sso', []],
      ['backend', 'after_sso', []],
      ['login', 'before_sso', ['websocket']],
    ])
    expect(entries.get('login')!.description).toBe('Our second door.')
  })

  it.each<[string, unknown, string]>([
    ['that is no map', [1], ': must be a map of names to entries'],
    ['with a bad name', { 'Bad Name': {} }, 'Bad Name: must be named with 1 to 63 lower-case letters'],
    ['that is a text', { mine: 'x' }, 'mine: must be a map with the key config'],
    ['without a config', { mine: {} }, 'mine.config: is required'],
    ['with an unknown key', { mine: { confg: {} } }, 'mine.confg: is unknown. Did you mean "config"?'],
    [
      'on an unknown side',
      { mine: { position: 'top', config: { chain: { middlewares: ['a'] } } } },
      'mine.position: must be one of',
    ],
    [
      'unfit for an unknown type',
      { mine: { unfit_for: { webs: 'x' }, config: { chain: { middlewares: ['a'] } } } },
      'mine.unfit_for: must map service types',
    ],
    [
      'of two types',
      withConfig({ chain: {}, retry: {} }),
      'mine.config: must have exactly one Traefik middleware type',
    ],
    ['of no type', withConfig({}), 'mine.config: must have exactly one Traefik middleware type'],
    [
      'of an unknown type',
      withConfig({ ratelimit: { average: 1 } }),
      'mine.config: has the unknown type "ratelimit". Did you mean "rateLimit"?',
    ],
    [
      'of a type that is a word of objects',
      withConfig({ constructor: {} }),
      'mine.config: has the unknown type "constructor"',
    ],
    ['with an empty map', withConfig({ compress: {} }), 'mine.config.compress: must have at least one key'],
    ['with null', withConfig({ compress: null }), 'mine.config: compress must be a map'],
    [
      'with null inside',
      withConfig({ rateLimit: { average: null } }),
      'mine.config.rateLimit.average: must be a whole number',
    ],
    [
      'with a misspelled key',
      withConfig({ rateLimit: { averge: 1 } }),
      'mine.config.rateLimit.averge: is unknown. Did you mean "average"?',
    ],
    [
      'with a key that does nothing any more',
      withConfig({ headers: { sslRedirect: true } }),
      'mine.config.headers.sslRedirect: is unknown.',
    ],
    [
      'with a key of another case',
      withConfig({ headers: { STSSeconds: 1 } }),
      'mine.config.headers.STSSeconds: is unknown. Did you mean "stsSeconds"',
    ],
    [
      'with an empty map deep down',
      withConfig({ rateLimit: { average: 1, sourceCriterion: {} } }),
      'mine.config.rateLimit.sourceCriterion: must have at least one key',
    ],
    [
      'with a fraction',
      withConfig({ rateLimit: { average: 1.5 } }),
      'mine.config.rateLimit.average: must be a whole number',
    ],
    [
      'with a number for a text',
      withConfig({ redirectScheme: { scheme: 'https', port: 8443 } }),
      'mine.config.redirectScheme.port: must be a text; put it in quotes',
    ],
    [
      'with a text for a flag',
      withConfig({ headers: { frameDeny: 'yes' } }),
      'mine.config.headers.frameDeny: must be true or false',
    ],
    [
      'with no duration',
      withConfig({ retry: { initialInterval: 'soon' } }),
      'mine.config.retry.initialInterval: must be a duration',
    ],
    [
      'with an empty list',
      withConfig({ chain: { middlewares: [] } }),
      'mine.config.chain.middlewares: must be a list of 1 to 1000 texts',
    ],
    [
      'with a padded entry',
      withConfig({ chain: { middlewares: [' a'] } }),
      'mine.config.chain.middlewares.0: must not be empty or padded',
    ],
    [
      'with a split entry',
      withConfig({ ipAllowList: { sourceRange: ['a\u2551b'] } }),
      'must not hold U+2551',
    ],
    [
      'with a template',
      withConfig({ addPrefix: { prefix: '/{{ env "X" }}' } }),
      'mine.config.addPrefix.prefix: must not hold "{{" or "}}"',
    ],
    ['with a template in a key', withConfig({ plugin: { p: { '{{x}}': 1 } } }), 'must not hold "{{" or "}}"'],
    ['with a line break', withConfig({ addPrefix: { prefix: '/a\nb' } }), 'must not hold control characters'],
    [
      'with a bad header name',
      withConfig({ headers: { customResponseHeaders: { 'a b': 'c' } } }),
      'is no header name',
    ],
    [
      'of which we know whether it changes the path',
      { mine: { changes_path: false, config: { stripPrefix: { prefixes: ['/x'] } } } },
      'mine.changes_path: may be left out, or be false, of a chain or plugin',
    ],
    [
      'that is said to change the path',
      { mine: { changes_path: true, config: { chain: { middlewares: ['a'] } } } },
      'mine.changes_path: may be left out, or be false, of a chain or plugin',
    ],
    ['with an empty plugin', withConfig({ plugin: {} }), 'mine.config.plugin: must have 1 to 1000 keys'],
    [
      'with a bad status',
      withConfig({ errors: { statusRewrites: { x: 200 } } }),
      'must be a status such as "418"',
    ],
  ])('%s is refused, and the entry is named', (_title, data, message) => {
    const errors = errorsOf(data)
    expect(
      errors.some((error) => error.includes(message)),
      errors.join('\n'),
    ).toBe(true)
    expect(parseOwnMiddlewares(data).entries.size).toBe(0)
  })

  it('does not spoil its neighbours: good entries come in beside the faults', () => {
    const { entries, errors } = parseOwnMiddlewares({
      good: { config: { addPrefix: { prefix: '/a' } } },
      bad: {},
    })
    expect([...entries.keys()]).toEqual(['good'])
    expect(errors.map(({ loc }) => loc[0])).toEqual(['bad'])
  })

  it('is read from maps without a prototype, and a key such as __proto__ is just a key', () => {
    const bare = (value: object): object => Object.assign(Object.create(null) as object, value)
    const inner = bare({})
    Object.defineProperty(inner, '__proto__', { value: 'x', enumerable: true })
    const data = bare({ mine: bare({ config: bare({ plugin: bare({ p: inner }) }) }) })
    const { entries, errors } = parseOwnMiddlewares(data)
    expect(errors).toEqual([])
    const settings = someSettings({ own_middlewares: entries })
    expect(textOfRows([{ middleware_config: { extra_middlewares: ['mine'] } }], settings)).toContain(
      '"__proto__": "x"',
    )
  })

  it('is rendered as it was written: every kind of value reads back', () => {
    const config = {
      plugin: {
        geo: {
          'allow-list': ['de', 'at'],
          strict: true,
          ttl: 60,
          nested: [{ k: 'v' }, ['x']],
          note: '“ü” {a}',
        },
      },
    }
    const { entries, errors } = parseOwnMiddlewares(withConfig(config))
    expect(errors).toEqual([])
    const text = textOfRows(
      [{ middleware_config: { extra_middlewares: ['mine'] } }],
      someSettings({ own_middlewares: entries }),
    )
    const tree = parse(text) as { http: { middlewares: Record<string, unknown> } }
    expect(tree.http.middlewares['plumbline-extra-mine']).toEqual(config)
  })

  it.each([
    ['a nest', () => Array.from({ length: 100 }).reduce<unknown>((inner) => [inner], 'x')],
    ['a long text', () => 'x'.repeat(100_000)],
    ['a wide map', () => Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`k${i}`, 1]))],
  ])('as %s is refused', (_title, value) => {
    expect(errorsOf(withConfig({ plugin: { p: value() } })).length).toBeGreaterThan(0)
  })
})

describe('a secret of ours in an own entry', () => {
  const VALUE = 'the-secret-of-the-proxy-0123456789'
  const secretsOf = (value: string) => [{ name: 'PLUMBLINE_PROXY_SECRET', secret: new Secret(value) }]
  const faultsWith = (data: unknown, value = VALUE): string[] =>
    parseOwnMiddlewares(data, secretsOf(value)).errors.map(({ loc, msg }) => `${loc.join('.')} ${msg}`)
  const headers = (customRequestHeaders: object) => ({ config: { headers: { customRequestHeaders } } })

  it.each<[string, unknown, string]>([
    [
      'as a header',
      headers({ 'X-Plumbline-Proxy-Secret': VALUE }),
      'mine.config.headers.customRequestHeaders.X-Plumbline-Proxy-Secret ',
    ],
    ['within a text', headers({ A: `Bearer ${VALUE}` }), 'mine.config.headers.customRequestHeaders.A '],
    ['as a name', headers({ [VALUE]: 'x' }), 'mine.config.headers.customRequestHeaders '],
    ['in a plugin', { config: { plugin: { p: [{ k: ['a', VALUE] }] } } }, 'mine.config.plugin.p.0.k.1 '],
    [
      'in its description',
      { description: VALUE, config: { compress: { minResponseBodyBytes: 1 } } },
      'mine.description ',
    ],
  ])('%s is refused, and the message says where else to keep it and is silent about it', (_, mine, at) => {
    const faults = faultsWith({ mine })
    expect(faults).toEqual([
      expect.stringMatching(/holds the value of PLUMBLINE_PROXY_SECRET.*"proxy-proof@file"/),
    ])
    expect(faults[0]!.startsWith(at)).toBe(true)
    expect(faults.join()).not.toContain(VALUE)
    expect(parseOwnMiddlewares({ mine }, secretsOf(VALUE)).entries.size).toBe(0)
  })

  it('is not found in what only looks like it: another one, or a text that holds a word of few letters', () => {
    const mine = headers({ 'X-Plumbline-Proxy-Secret': 'another' })
    expect(faultsWith({ mine })).toEqual([])
    expect(faultsWith({ mine }, 'other')).toEqual([])
    expect(faultsWith({ mine }, 'another')).toHaveLength(1)
  })

  it('can stand in another file of the folder: a chain names it there, behind the check', () => {
    const { entries, errors } = parseOwnMiddlewares(
      { mine: { config: { chain: { middlewares: ['proxy-proof@file'] } } } },
      secretsOf(VALUE),
    )
    expect(errors).toEqual([])
    expect(entries.get('mine')).toMatchObject({ position: 'after_sso', changes_path: true })
    const text = textOfRows(
      [{ middleware_config: { extra_middlewares: ['mine'] } }],
      someSettings({ own_middlewares: entries }),
    )
    const tree = parse(text) as { http: { middlewares: Record<string, unknown> } }
    expect(tree.http.middlewares['plumbline-extra-mine']).toEqual({
      chain: { middlewares: ['proxy-proof@file'] },
    })
  })
})
