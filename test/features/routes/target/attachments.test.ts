/** Which routes the file itself puts the check before: routers of open paths are none, as long as they open nothing else. */
import { expect, it } from 'vitest'
import { attachmentsIn } from '../../../../src/features/routes/opens/attachments.ts'
import { openRouters } from '../../../../src/features/routes/opens/open-routers.ts'
import { someSettings, textOfRows } from './settings.ts'

const settings = someSettings({ open_paths: new Map([['app.example.com', ['/healthz', '/public/']]]) })
const facts = { forward_auth_url: settings.sso_forward_auth_url, mayOpen: openRouters(settings) }
const text = textOfRows(
  [{ service_type: 'spa' }, { domain: 'open.example.com', auth_required: false }],
  settings,
)
const attached = (edited: string) => Object.fromEntries(attachmentsIn(edited, facts))
const ROUTER = /("plumbline-open_app[^]*?rule: )"[^\n]*"\n/

it('a protected name whose routers all ask, but for those of its open paths', () => {
  expect(text).toMatch(ROUTER)
  expect(attached(text)).toEqual({ 'app.example.com': true, 'open.example.com': false })
})

it.each<[string, string]>([
  ['opens every path', text.replace(ROUTER, '$1"Host(\\"app.example.com\\")"\n')],
  [
    'opens another path',
    text.replace(ROUTER, '$1"Host(\\"app.example.com\\") && PathRegexp(\\"^/.*$\\")"\n'),
  ],
  ['says its rule twice', text.replace(ROUTER, (all) => `${all}      rule: "Host(\\"app.example.com\\")"\n`)],
  ['has a name of ours and other paths', text.replaceAll('plumbline-open_app', 'plumbline-open_spa')],
  [
    'opens its paths without TLS',
    text.replace(/("plumbline-open_app[^]*?)      tls:\n        certResolver: "letsencrypt"\n/, '$1'),
  ],
  [
    'is one of the parts and does not ask',
    text.replace(/("plumbline-document_app[^]*?)        - "plumbline-sso"\n/, '$1'),
  ],
])('a router that %s', (_, edited) => {
  expect(edited).not.toBe(text)
  expect(Object.values(attached(edited))).toContain(false)
  expect(attached(edited)).not.toEqual(attached(text))
})

it('a router that opens some of the paths is none that could be open by mistake', () => {
  const fewer = someSettings({ open_paths: new Map([['app.example.com', ['/public/']]]) })
  expect(attached(textOfRows([{ service_type: 'spa' }], fewer))).toEqual({ 'app.example.com': true })
})
