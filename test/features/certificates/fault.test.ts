/** What is wrong with a domain's certificate, case by case: the words, and the cure in them. */
import { expect, it } from 'vitest'
import type { CertificateFacts } from '../../../src/model/network/certificate.ts'
import { type CertificateObservation, faultOf } from '../../../src/features/certificates/fault.ts'
import type { AcmeReading } from '../../../src/features/certificates/acme-store/port.ts'

const NOW = Date.parse('2026-06-01T00:00:00Z')
const DAY_MS = 86_400_000

const facts = (over: Partial<CertificateFacts> = {}): CertificateFacts => ({
  names: ['app.example.com'],
  not_before: NOW - 30 * DAY_MS,
  not_after: NOW + 60 * DAY_MS,
  issuer: 'R10',
  serial: '1a',
  key_type: 'EC P-256',
  fingerprint: 'f',
  ...over,
})
const good = { ...facts(), chain_length: 1 }
const renewed = { ...facts({ serial: '2b', not_after: NOW + 90 * DAY_MS }), chain_length: 1 }
const seeing = (leaf: CertificateFacts): Pick<CertificateObservation, 'seen'> => ({
  seen: { ok: true, protocol: 'TLSv1.3', chain: [leaf], distrust: null },
})
const reading = (state: AcmeReading['state'], detail: string | null): AcmeReading => ({
  state,
  detail,
  content: null,
  content_at: null,
  file: null,
})
const manager = {
  name: 'app.example.com',
  names: ['app.example.com'],
  wanted: true,
  in_use: true,
  directory: 'https://ca.test/dir',
  installed: null,
  chain_length: null,
  order_step: null,
  next_attempt_at: null,
  last_error: null,
}
const other = facts({ names: ['traefik.default'], issuer: 'TRAEFIK DEFAULT CERT', serial: '9' })
const ended = { ...facts({ not_after: NOW - DAY_MS }), chain_length: 1 }
const whole = { ...good, chain_length: 2 }

it.each<[string, Partial<CertificateObservation>, RegExp | null]>([
  ['served, good, no store', seeing(good), null],
  [
    'issued by itself',
    { seen: { ok: true, protocol: 'TLSv1.3', chain: [good], distrust: 'DEPTH_ZERO_SELF_SIGNED_CERT' } },
    /issuer R10\) is not trusted by this host: it was issued by itself/,
  ],
  [
    'not trusted here, and just what our own manager obtained',
    {
      seen: { ok: true, protocol: 'TLSv1.3', chain: [good], distrust: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' },
      manager: { installed: good, chain_length: 1, last_error: null },
    },
    null,
  ],
  ['served what the store holds', { ...seeing(good), held: good }, null],
  ['not reachable', { seen: { ok: false, detail: 'x:443 refuses connections.' } }, /^x:443 refuses/],
  [
    'the default certificate, nothing held',
    seeing(other),
    /for traefik.default .*none for this name yet.*log/,
  ],
  [
    'the default certificate, a good one held',
    { ...seeing(other), held: good },
    /not served: restart the proxy/,
  ],
  [
    'the default certificate, a good one of ours',
    { ...seeing(other), manager: { ...manager, installed: good } },
    /not served: restart the proxy/,
  ],
  ['no name at all', seeing(facts({ names: [] })), /is for no name/],
  [
    'a hundred names of others',
    seeing(facts({ names: Array.from({ length: 100 }, (_, i) => `n${i}.example.net`) })),
    /n0.example.net, n1.example.net, n2.example.net and 97 more/,
  ],
  ['ended', seeing(ended), /ended at 2026-05-31T00:00:00.000Z. It was not renewed/],
  ['ended, renewed in the store', { ...seeing(ended), held: renewed }, /ended .*restart the proxy/],
  ['ended, and so is what the store holds', { ...seeing(ended), held: ended }, /It was not renewed/],
  ['not begun', seeing(facts({ not_before: NOW + DAY_MS })), /begins only.*clock/],
  [
    'an older one than the store holds',
    { ...seeing(good), held: renewed },
    /newer one \(2b, .*Restart the proxy/,
  ],
  [
    'an older one than ours',
    { ...seeing(good), manager: { ...manager, installed: renewed } },
    /Ours is newer \(2b, .*PATH_IN_PROXY/,
  ],
  ['a newer one than ours', { ...seeing(renewed), manager: { ...manager, installed: good } }, null],
  [
    'a shorter chain than the store holds',
    { ...seeing(good), held: whole },
    /shorter chain .*of 1\).*of 2\)/,
  ],
  [
    'a shorter chain than our file holds',
    { ...seeing(good), manager: { ...manager, installed: good, chain_length: 3 } },
    /shorter chain .*of 1\).*of 3\)/,
  ],
  [
    'a chain of ours of which nothing is known',
    { ...seeing(good), manager: { ...manager, installed: good } },
    null,
  ],
  [
    'the default certificate, and no resolver to obtain one',
    { ...seeing(other), no_resolver: 'It knows no resolver x.' },
    /It knows no resolver x/,
  ],
  ['a newer one than the store holds', { ...seeing(renewed), held: good }, null],
  ['our manager could not', { ...seeing(good), manager: { ...manager, last_error: 'no zone' } }, /^no zone$/],
  ['the store is refused', { ...seeing(good), reading: reading('refused', 'chmod 600 it') }, /chmod 600/],
  ['the store is gone', { reading: reading('absent', 'There is no file x.') }, /no file/],
  ['the store is being written', { ...seeing(good), reading: reading('busy', 'being written') }, null],
  ['internal, and nobody was asked', { internal: true }, /PLUMBLINE_TLS_ADDRESS/],
  ['without TLS', {}, null],
])('%s', (_title, observation, words) => {
  const told = faultOf(
    {
      domain: 'app.example.com',
      internal: false,
      seen: null,
      held: null,
      reading: null,
      manager: null,
      no_resolver: null,
      ...observation,
    },
    NOW,
  )
  if (words === null) expect(told).toBeNull()
  else expect(told).toMatch(words)
})
