/**
 * Open paths of a protected name, against two readers that are not ours: a proxy that routes by what was sent, and a provider
 * that decides by what it decoded and cleaned. Nothing outside the list reaches the backend unasked, however it is spelt.
 */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { parse } from 'yaml'
import { describe, expect, it } from 'vitest'
import { openPathsPattern } from '../../../../src/model/access/open-paths.ts'
import { middlewareOffer } from '../../../../src/features/routes/middlewares/catalogue.ts'
import { parseOwnMiddlewares } from '../../../../src/features/routes/middlewares/own-middlewares.ts'
import { SERVICE_TYPES } from '../../../../src/model/domain/record.ts'
import { ssoDesired } from '../../../../src/features/sso/target/desire.ts'
import { anIntent, type RowWish } from '../../../fixtures.ts'
import { cleanPath, decidedPath } from '../../../fakes/sso/decided-path.ts'
import { decideBy, strictly } from '../../../fakes/sso/rules.ts'
import { compileRule } from '../../../fakes/traefik/rules/compile.ts'
import { HTTP_MATCHERS } from '../../../fakes/traefik/rules/matchers.ts'
import { takenUrl } from '../../../fakes/traefik/traffic/receive.ts'
import { whichProgram } from '../../../peers/peer.ts'
import { byTier, inDepth, SEED } from '../../../kit/tier.ts'
import { someSettings, textOfRows } from './settings.ts'
import { newFolder } from '../../../kit/new-folder.ts'

const HOST = 'app.example.com'
const OPEN = ['/public/', '/healthz', '/a.b/c', '/assets/']
const SPELLINGS = byTier(200, 20_000)

interface Router {
  readonly rule: string
  readonly priority: number
  readonly middlewares: readonly string[]
}

const SSO = 'plumbline-sso'

function estate(over: Partial<RowWish> = {}, open: readonly string[] = OPEN) {
  const row = { domain: HOST, auth_required: true, live: true, ...over }
  const settings = someSettings({ traefik_version: [3, 7, 9], open_paths: new Map([[HOST, open]]) })
  const tree = parse(textOfRows([row], settings)) as {
    readonly http: { readonly routers: Readonly<Record<string, Router>> }
  }
  const routers = Object.entries(tree.http.routers)
    .filter(([name]) => !name.includes('redirect'))
    .map(([name, router]) => ({ name, ...router, isMatch: compileRule(router.rule, HTTP_MATCHERS) }))
    .sort((a, b) => b.priority - a.priority)
  const policies = new Map([[HOST, { policy: null, access: [], bypass: open }]])
  const rules = strictly(ssoDesired(anIntent(row), { default_policy: 'one_factor', policies }).text)
  return { routers, rules }
}

/** What the backend gets without anybody being asked, or null where it gets nothing. */
function unasked({ routers, rules }: ReturnType<typeof estate>, url: string, sanitizePath: boolean) {
  // Go's server refuses these before anybody sees them.
  if (decidedPath(url) === null) return null
  const taken = takenUrl({ sanitizePath }, url)
  const [path = '', query = ''] = taken.split(/\?(.*)/s)
  const facts = {
    method: 'GET',
    host: HOST,
    path,
    query: new URLSearchParams(query),
    headers: {},
    address: '203.0.113.9',
  }
  const router = routers.find(({ isMatch }) => isMatch(facts))
  if (router === undefined) return null
  if (!router.middlewares.includes(SSO)) return taken
  const question = { host: HOST, uri: decidedPath(taken)!, method: 'GET', user: null, groups: [] }
  return decideBy(rules, question) === 'bypass' ? taken : null
}

/** An unreserved character and its escape are the same (RFC 3986 §2.3); newer proxies send on the former for the latter. */
const withoutNeedlessEscapes = (path: string): string =>
  path.replaceAll(/%([0-9a-f]{2})/gi, (escape, digits: string) => {
    const character = String.fromCharCode(Number.parseInt(digits, 16))
    return /[A-Za-z0-9._~-]/.test(character) ? character : escape
  })

/** Said without a regular expression of ours: plain as it was sent, and the same after decoding and cleaning. */
function isInside(taken: string): boolean {
  const raw = withoutNeedlessEscapes(taken.split('?', 1)[0]!)
  const decided = decidedPath(raw)
  if (decided !== raw || cleanPath(raw) + (raw !== '/' && raw.endsWith('/') ? '/' : '') !== raw) return false
  if (/[%\\;]/.test(raw)) return false
  return OPEN.some((open) => (open.endsWith('/') ? raw.startsWith(open) : raw === open))
}

const piece = fc.constantFrom(
  '/',
  '//',
  '%2f',
  '%2F',
  '\\',
  '%5c',
  '.',
  '..',
  '%2e',
  '%2E%2e',
  '%252e',
  '%252f',
  '..%2f',
  '%2f..',

  '?',
  '%3f',
  '%3F',
  ';',
  '%3b',
  '..;',
  '%00',
  '#',
  '%23',
  '%20',
  '+',
  '@',
  ':',
  '&',
  '=',
  '%',
  '%zz',
  '~',

  'public',
  'PUBLIC',
  'Public',
  'healthz',
  'HEALTHZ',
  'a.b',
  'c',
  'assets',
  'admin',
  'x',
  'x.js',
  '.git',

  '%70ublic',
  '%68ealthz',
  'public%2f',
  '/public/',
  '/admin/',
  '/healthz',
  '/../',
  '/./',
  '/%2e%2e/',
  'é',
  '%c3%a9',

  'x-0123456789abcdef.js',
  'index.html',
  '.html',
  '%2ehtml',
  'AbC12dEf.css',
  '/public/..%2fadmin',
  'X1',
)
const spelling = fc
  .tuple(
    fc.constantFrom('/', '/public/', '/public', '/healthz', '/a.b/c', '/assets/', '/admin/', '/admin%2f'),
    fc.array(piece, { maxLength: 7 }),
  )
  .map(([start, pieces]) => start + pieces.join(''))

/** Each of these reached the backend while the provider alone decided. */
const SIDEWAYS = [
  '/admin/..%2fpublic/x',
  '/admin/x/..%2f..%2fhealthz',
  '/admin%2f..%2fpublic/x',
  '/healthz%3Fx',
  '/public%2fx',
  '/public/..%2fadmin',
  '/public/%2e%2e%2fadmin',
  '/public/%2e%2e/admin',
  '/public/..;/admin',
  '/public/x%5c..%5c..%5cadmin',
  '/public/%252e%252e/admin',
  '/public//../admin',
  '/PUBLIC/x',
  '/public',
  '/healthz/',
  '/public/.git/config',
  '/axb/c',
]

describe.each(['http', 'spa'] as const)('open paths of a protected name of type %s', (service_type) => {
  const at = estate({ service_type })

  it('are open, so that the rest proves something', () => {
    for (const path of [
      '/public/',
      '/public/x.css?v=../1',
      '/public/a/b-c_d~e.f/',
      '/healthz',
      '/healthz?x',
      '/a.b/c',
    ])
      expect([path, unasked(at, path, true)]).toEqual([path, path])
    expect(unasked(at, '/assets/x-0123456789abcdef.js', true)).not.toBeNull()
  })

  it.each([true, false])(
    'are open and nothing else is, whether the proxy cleans paths (%s) or not',
    (cleans) => {
      for (const path of SIDEWAYS) {
        const taken = unasked(at, path, cleans)
        expect([path, taken === null || isInside(taken)]).toEqual([path, true])
      }
      let opened = 0
      fc.assert(
        fc.property(spelling, (url) => {
          const taken = unasked(at, url, cleans)
          if (taken === null) return true
          opened++
          return isInside(taken)
        }),
        { numRuns: SPELLINGS / 4, seed: SEED },
      )
      expect(opened).toBeGreaterThan(0)
    },
  )
})

it('ways sideways that a decoding provider takes stay closed where the proxy does not clean', () => {
  const at = estate()
  for (const path of SIDEWAYS) expect([path, unasked(at, path, false)]).toEqual([path, null])
})

describe('the router of open paths', () => {
  it.each(SERVICE_TYPES.filter((type) => !['tcp-proxy', 'manual'].includes(type)))(
    'of type %s has all of the chain but the check, and a higher priority',
    (service_type) => {
      const middleware_config = { extra_middlewares: ['no-store', 'request-limit'] }
      const wish = { service_type, cors_enabled: true, default_path: '/home', middleware_config }
      const { routers } = estate(wish)
      const byName = new Map(routers.map((router) => [router.name.replace(/_.*/, ''), router]))
      const pairs = service_type === 'spa' ? ['site', 'assets', 'document'] : ['site']
      for (const role of pairs) {
        const closed = byName.get(`plumbline-${role}`)!
        const open = byName.get(role === 'site' ? 'plumbline-open' : `plumbline-open-${role}`)!
        expect(open.middlewares.filter((name) => name !== 'plumbline-open-path')).toEqual(
          closed.middlewares.filter((name) => name !== SSO),
        )
        expect(open.middlewares[0]).toBe('plumbline-no-identity')
        expect(open.priority).toBeGreaterThan(
          Math.max(...pairs.map((one) => byName.get(`plumbline-${one}`)!.priority)),
        )
      }
    },
  )

  it('is not there for a record that is open as a whole, without open paths or without TLS, or whose path is changed behind it', () => {
    const config = {
      config: { path: ['/x'] },
      description: '',
      position: 'after_sso',
      unfit_for: {},
      changes_path: true,
    } as const
    const strip = { ...config, type: 'stripPrefix', since: [3, 0, 0], config: { prefixes: ['/x'] } } as const
    const own_middlewares = new Map([['strip', strip]])
    const open_paths = new Map([[HOST, OPEN]])
    const text = (over: Partial<RowWish>, settings = someSettings({ open_paths, own_middlewares })) =>
      textOfRows([{ domain: HOST, ...over }], settings)
    expect(text({})).toContain('plumbline-open_')
    expect(text({ auth_required: false })).not.toContain('plumbline-open')
    expect(text({}, someSettings())).not.toContain('plumbline-open')
    expect(text({ middleware_config: { extra_middlewares: ['strip'] } })).not.toContain('plumbline-open')
    expect(text({ ssl_enabled: false })).not.toContain('plumbline-open')
  })

  it('is there beside a chain that is said to leave the path as it is, and has it in front of the backend, too', () => {
    const { entries } = parseOwnMiddlewares({
      proof: { changes_path: false, config: { chain: { middlewares: ['proxy-proof@file'] } } },
    })
    const settings = someSettings({ open_paths: new Map([[HOST, OPEN]]), own_middlewares: entries })
    const row = { domain: HOST, middleware_config: { extra_middlewares: ['proof'] } }
    const tree = parse(textOfRows([row], settings)) as { http: { routers: Record<string, Router> } }
    expect(tree.http.routers[`plumbline-open_${HOST}`]?.middlewares).toContain('plumbline-extra-proof')
    expect(middlewareOffer(settings).get('proof')).toMatchObject({ changes_path: false })
  })

  it('of a star is no way round a name below it', () => {
    const settings = someSettings({ open_paths: new Map([['*.example.com', ['/']]]) })
    const text = textOfRows([{ domain: '*.example.com', service_type: 'spa' }, { domain: HOST }], settings)
    const { routers } = (parse(text) as { http: { routers: Record<string, Router> } }).http
    const stars = Object.entries(routers).filter(([name]) => name.includes('*'))
    for (const [, { priority }] of stars)
      expect(priority).toBeLessThan(routers[`plumbline-site_${HOST}`]!.priority)
  })
})

inDepth(() => {
  const go = whichProgram('go')
  it.skipIf(go === null && process.env['PLUMBLINE_PEERS'] !== 'required')(
    'Go reads the spellings as the stand-ins do',
    { timeout: 300_000 },
    () => {
      const folder = newFolder('go')
      const urls = [...new Set([...SIDEWAYS, ...fc.sample(spelling, { numRuns: SPELLINGS, seed: SEED })])]
      const file = join(folder, 'main.go')
      writeFileSync(file, GO)
      const env = { ...process.env, GOCACHE: join(folder, 'cache'), GOPATH: folder, GO111MODULE: 'off' }
      const input = [openPathsPattern(OPEN), ...urls].map((line) => JSON.stringify(line)).join('\n')
      const output = execFileSync(go!, ['run', file], { input, env, encoding: 'utf8', maxBuffer: 1 << 28 })
      const judged = output
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { decided: string | null; open: boolean })
      expect(judged).toHaveLength(urls.length)
      const pattern = new RegExp(openPathsPattern(OPEN))
      for (const [i, url] of urls.entries()) {
        const decided = decidedPath(Buffer.from(url).toString('latin1'))
        expect([url, judged[i]!.decided]).toEqual([
          url,
          decided === null ? null : Buffer.from(decided, 'latin1').toString('hex'),
        ])
        const raw = url.split('?', 1)[0]!
        expect([url, judged[i]!.open]).toEqual([url, pattern.test(raw)])
        // What is open as it was sent is the same after decoding and cleaning.
        if (judged[i]!.open) expect([url, decided!.split('?', 1)[0]]).toEqual([url, raw])
      }
    },
  )
})

const GO = `package main

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path"
	"regexp"
	"strings"
)

func full(u *url.URL) string {
	cleaned := path.Clean(u.Path)
	if len(u.Path) > 1 && u.Path[len(u.Path)-1] == '/' {
		cleaned += "/"
	}
	if u.RawQuery != "" {
		cleaned += "?" + u.RawQuery
	}
	return cleaned
}

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	var open *regexp.Regexp
	for in.Scan() {
		var text string
		if err := json.Unmarshal(in.Bytes(), &text); err != nil {
			panic(err)
		}
		if open == nil {
			open = regexp.MustCompile(text)
			continue
		}
		raw, _, _ := strings.Cut(text, "?")
		decided := "null"
		if u, err := url.ParseRequestURI(text); err == nil {
			decided = "\\"" + hex.EncodeToString([]byte(full(u))) + "\\""
		}
		fmt.Printf("{\\"decided\\":%s,\\"open\\":%t}\\n", decided, open.MatchString(raw))
	}
}
`
