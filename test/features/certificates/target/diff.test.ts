/** What is done about a certificate, and what keeps us from it. */
import { describe, expect, it } from 'vitest'
import type { CertificateOrder } from '../../../../src/features/certificates/order-records.ts'
import type {
  CertificateFailure,
  InstalledCertificate,
} from '../../../../src/features/certificates/records.ts'
import type { CertificatesDesired } from '../../../../src/features/certificates/target/desire.ts'
import { certificateObstacles, diffCertificate } from '../../../../src/features/certificates/target/diff.ts'
import { explainCertificate } from '../../../../src/features/certificates/target/explain.ts'
import { certificateViews } from '../../../../src/features/certificates/target/views.ts'
import type { CertificateState } from '../../../../src/features/certificates/target/state.ts'

const DAY = 24 * 3_600_000
const NOW = Date.UTC(2030, 0, 31)
const NAME = 'app.example.com'
const DIRECTORY = 'https://ca.test/dir'
const WISH = { name: NAME, names: [NAME], domain_ids: [7] }
const WANTED = { wishes: [WISH], kept: [] }
const NOBODY = { wishes: [], kept: [] }

const INSTALLED: InstalledCertificate = {
  name: NAME,
  names: [NAME],
  directory: DIRECTORY,
  issuer: 'Test',
  serial: 'abc',
  key_type: 'EC P-256',
  fingerprint: 'f'.repeat(64),
  not_before: NOW - 30 * DAY,
  not_after: NOW + 60 * DAY,
  obtained_at: NOW - 30 * DAY,
  ari_id: null,
  renewal: null,
}
const TROUBLE: CertificateFailure = {
  name: NAME,
  failures: 2,
  directory: DIRECTORY,
  code: 'provider_refused',
  message: 'The authority refused.',
  failed_at: NOW - DAY / 24,
  next_try_at: NOW + DAY / 24,
  rehearse: false,
}
const ORDER: CertificateOrder = {
  id: '1',
  name: NAME,
  names: [NAME],
  directory: DIRECTORY,
  rehearsal: false,
  replaces: null,
  step: 'presented',
  order_url: 'https://ca.test/order/1',
  challenges: [],
  reason: '',
  started_at: NOW,
  updated_at: NOW,
}
const state = (parts: Partial<CertificateState> = {}): CertificateState => ({
  name: NAME,
  now: NOW,
  directory: DIRECTORY,
  installed: INSTALLED,
  fault: null,
  order: null,
  failure: null,
  in_use: true,
  ...parts,
})
const installed = (parts: Partial<InstalledCertificate>): Partial<CertificateState> => ({
  installed: { ...INSTALLED, ...parts },
})
const ENDING = installed({ not_after: NOW + 10 * DAY })
const EARLY = { ari_id: 'i', start: 0, end: NOW, moment: NOW - DAY, ask_at: NOW + DAY }

describe('a wanted certificate', () => {
  it.each<[string, Partial<CertificateState>, string | null]>([
    ['is there, good and long', {}, null],
    ['is not there', { installed: null }, 'create obtain: there is none yet'],
    ['is for other names', installed({ names: ['other.example.com'] }), 'update obtain: it is to be for'],
    [
      'has lost its key',
      { fault: 'the key is gone' },
      'update obtain: its files are not what they should be',
    ],
    ['is from elsewhere', installed({ directory: 'https://old.test' }), 'update obtain: it is to come from'],
    ['is past two thirds of its life', ENDING, 'update obtain: it ends at'],
    ['is asked back', installed({ ari_id: 'i', renewal: EARLY }), 'update obtain: the authority asks for it'],
    ['had a hint for another', installed({ ari_id: 'j', renewal: EARLY }), null],
    ['is being ordered', { installed: null, order: ORDER }, 'create obtain: there is none yet'],
    ['has to wait after trouble', { installed: null, failure: TROUBLE }, null],
    [
      'has waited',
      { installed: null, failure: { ...TROUBLE, next_try_at: NOW } },
      'create obtain: there is none yet',
    ],
    [
      'left an order that failed, and waits',
      { installed: null, failure: TROUBLE, order: { ...ORDER, step: 'failed' } },
      'update tidy',
    ],
    ['is good, and an order is left', { order: ORDER }, 'update tidy'],
    ['runs, and waits after a crash', { installed: null, failure: TROUBLE, order: ORDER }, null],
  ])('that %s', (_title, parts, expected) => {
    const told = diffCertificate(WANTED, state(parts)).map(({ verb, after, payload }) => {
      const reason = payload.kind === 'obtain' ? `: ${payload.reason}` : ''
      expect(after).not.toBeNull()
      return `${verb} ${payload.kind}${reason}`
    })
    if (expected === null) expect(told).toEqual([])
    else expect(told).toEqual([expect.stringContaining(expected)])
  })

  it.each<[string, Partial<CertificateState>, boolean]>([
    ['none is there', { installed: null, failure: TROUBLE }, true],
    ['the one that ends still does', { ...ENDING, failure: TROUBLE }, false],
    [
      'the one that stands has ended',
      { ...installed({ not_after: NOW - 1 }), failure: { ...TROUBLE, code: 'provider_busy' } },
      true,
    ],
    ['the one that stands lacks a name', { ...installed({ names: ['x.test'] }), failure: TROUBLE }, true],
    ['the key is lost', { fault: 'gone', failure: TROUBLE }, true],
    ['nothing is needed', { failure: TROUBLE }, false],
    ['the wait is over', { installed: null, failure: { ...TROUBLE, next_try_at: NOW } }, false],
  ])('that has to wait is an obstacle only where nothing stands in: %s', (_title, parts, hinders) => {
    const found = certificateObstacles(WANTED, state(parts))
    expect(found).toHaveLength(hinders ? 1 : 0)
    if (!hinders) return
    expect(found[0]).toMatchObject({ item: NAME, domain_ids: [7] })
    expect(found[0]!.failure.message).toMatch(/refused.*tried again at 2030-/)
    expect(found[0]!.failure.retry_after_ms).toBeGreaterThan(0)
  })
})

it('a retry ends a wait after a failure, and none that the authority asked for', () => {
  const retried = (parts: Partial<CertificateState>) => {
    const { installed: found, failure } = state(parts)
    const reading = {
      certificates: new Map(found === null ? [] : [[NAME, found]]),
      chains: new Map(),
      orders: new Map(),
      failure: new Map(failure === null ? [] : [[NAME, failure]]),
      versions: [],
      isNamed: () => true,
    }
    const [view] = certificateViews(WANTED, reading, {
      clock: { now: () => NOW } as never,
      directory: DIRECTORY,
    })
    return view!.retried
  }
  expect(retried({ installed: null, failure: TROUBLE })).toMatchObject({
    verb: 'create',
    before: null,
    after: expect.stringMatching(
      /^a new one for app.example.com: there is none yet; the last try failed: /,
    ) as string,
    waiting: expect.stringContaining('It is tried again at') as string,
  })
  // What stands does, and the renewal waits: no plan says so, and a retry orders it.
  expect(retried({ ...ENDING, failure: TROUBLE })).toMatchObject({ verb: 'update' })
  expect(retried({ installed: null, failure: { ...TROUBLE, code: 'provider_busy' } })).toBeNull()
  expect(retried({ installed: null })).toBeNull()
})

describe('an unwanted certificate', () => {
  it.each<[string, Partial<CertificateState>, readonly string[], boolean]>([
    ['stays while the proxy reads it', {}, [], false],
    ['goes when it does not', { in_use: false }, [], true],
    ['stays for a domain that is only off line', { in_use: false }, [NAME], false],
    ['is as gone as an order for it', { installed: null, in_use: false, order: ORDER }, [], true],
    ['is nothing at all', { installed: null, in_use: false }, [], false],
  ])('%s', (_title, parts, kept, goes) => {
    const found = diffCertificate({ ...NOBODY, kept }, state(parts))
    expect(found.map(({ verb, payload }) => [verb, payload.kind])).toEqual(goes ? [['delete', 'drop']] : [])
  })
})

describe('the cause', () => {
  const cause = (
    working: CertificatesDesired,
    released: CertificatesDesired,
    parts: Partial<CertificateState>,
  ) =>
    explainCertificate({ working, released, observed: state(parts), rows_moved: true }).differences.map(
      (difference) => difference.cause,
    )
  const none = { installed: null }
  const both = { wishes: [{ ...WISH, names: [NAME, 'www.example.com'] }], kept: [] }

  it.each<[string, CertificatesDesired, CertificatesDesired, Partial<CertificateState>, readonly string[]]>([
    ['saved and not deployed', WANTED, NOBODY, none, ['pending_deploy']],
    ['deployed and not there', WANTED, WANTED, none, ['lost']],
    ['there, and at its end', WANTED, WANTED, ENDING, ['renderer_changed']],
    ['there without its key', WANTED, WANTED, { fault: 'gone' }, ['lost']],
    ['deployed, and not issued', WANTED, WANTED, { ...none, failure: TROUBLE }, ['rejected']],
    ['more names deployed, and not issued', both, both, { failure: TROUBLE }, ['rejected']],
    [
      'there without its key, and not issued anew',
      WANTED,
      WANTED,
      { fault: 'gone', failure: TROUBLE },
      ['lost'],
    ],
    [
      'saved and not deployed, after trouble',
      WANTED,
      NOBODY,
      { ...none, failure: TROUBLE },
      ['pending_deploy'],
    ],
    ['more names saved', both, WANTED, {}, ['pending_deploy']],
    ['nothing to do', WANTED, WANTED, {}, []],
  ])('%s', (_title, working, released, parts, expected) => {
    expect(cause(working, released, parts)).toEqual(expected)
  })
})
