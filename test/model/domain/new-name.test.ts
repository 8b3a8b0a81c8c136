/** Names that nobody can give to a record although their grammar is right, and those that look alike and stay. */
import { describe, expect, it } from 'vitest'
import { checkEdited, checkNew, type Offer } from '../../../src/model/domain/rules.ts'
import { newNameFault } from '../../../src/model/domain/new-name.ts'
import { someFields } from '../../fixtures.ts'

const OFFER: Offer = {
  tcp_entrypoints: [],
  tls_entrypoint: 'websecure',
  middlewares: new Map(),
  open_paths: new Map(),
  backend_authorities: new Set(),
}

describe('a label that is no A-label', () => {
  it.each([
    'xn--a.example',
    'xn--abc-.example',
    'app.xn--zzzzzz.example',
    '*.xn--a.example',
    'app.xn--ypd8qrh',
  ])('%s is refused with its label', (domain) => expect(newNameFault(domain)).toMatch(/^has the label "xn--/))

  it.each([
    'xn--bcher-kva.example',
    '*.xn--bcher-kva.example',
    'xn--ls8h.example',
    'app.xn--55qx5d.cn',
    'ab--cd.example',
  ])('%s stays', (domain) => expect(newNameFault(domain)).toBeNull())
})

describe('a public suffix', () => {
  it.each(['co.uk', 'com.au', 'foo.ck', 'gov.pl', 'xn--55qx5d.cn', 'in-addr.arpa'])(
    '%s is refused',
    (domain) => expect(newNameFault(domain)).toMatch(/public suffix.*such as app\./),
  )

  it.each([
    'example.co.uk',
    '*.co.uk',
    'home.arpa',
    'app.home.arpa',
    '*.home.arpa',
    'www.ck',
    'github.io',
    'myds.me',
    'home.example',
    'nas.lan',
    'nas.internal',
  ])('%s stays', (domain) => expect(newNameFault(domain)).toBeNull())
})

describe('a name is asked when it is given', () => {
  it.each(['co.uk', 'xn--a.example'])('%s: for a new record and for a rename', (domain) => {
    const refused = { ok: false, errors: [{ loc: ['body', 'domain'], type: 'domain_name' }] }
    expect(checkNew({ ...someFields({ domain }) }, OFFER)).toMatchObject(refused)
    expect(checkEdited(someFields(), { domain }, OFFER)).toMatchObject(refused)
  })

  it.each(['co.uk', 'xn--a.example'])('%s: one that an earlier version saved locks no record', (domain) => {
    const present = someFields({ domain })
    expect(checkEdited(present, { note: 'new' }, OFFER)).toMatchObject({ ok: true, fields: { domain } })
    expect(checkNew({ ...present }, OFFER, domain)).toMatchObject({ ok: true })
  })
})

it('a health check has no effect on TCP, and the answer says so', () => {
  const fields = someFields({ protocol: 'tcp', tcp_entrypoint: 'ssh', health_check_path: '/up' })
  const checked = checkNew({ ...fields, auth_required: false }, { ...OFFER, tcp_entrypoints: ['ssh'] })
  expect(checked).toMatchObject({
    ok: true,
    warnings: [expect.stringMatching(/^health_check_path has no effect/)],
  })
})
