/** What was handed out is stored only when it is what was ordered, and better than what stands. */
import { expect, test } from 'vitest'
import type { CertificateFacts } from '../../../../src/model/network/certificate.ts'
import type { InstalledCertificate } from '../../../../src/features/certificates/records.ts'
import { type Expected, unfitness } from '../../../../src/features/certificates/issuing/fitness.ts'

const MINUTE = 60_000
const DAY = 86_400_000
const NOW = Date.UTC(2026, 6, 22)
const DIRECTORY = 'https://ca.test/directory'

const LEAF: CertificateFacts = {
  names: ['*.example.com', 'example.com'],
  not_before: NOW - MINUTE,
  not_after: NOW + 90 * DAY,
  issuer: 'Test',
  serial: '1',
  key_type: 'EC P-256',
  fingerprint: 'ab',
}
const OLD: InstalledCertificate = {
  ...LEAF,
  name: 'example.com',
  directory: DIRECTORY,
  not_before: NOW - 60 * DAY,
  not_after: NOW + 30 * DAY,
  obtained_at: NOW - 60 * DAY,
  ari_id: null,
  renewal: null,
}
const WANTED: Expected = {
  names: ['example.com', '*.example.com'],
  directory: DIRECTORY,
  key_fits: true,
  replaces: OLD,
  now: NOW,
}

test.each<[string, Partial<CertificateFacts>, Partial<Expected>, string | null]>([
  ['as ordered', {}, {}, null],
  ['the first', {}, { replaces: null }, null],
  ['a name is missing', { names: ['example.com'] }, {}, 'not for *.example.com'],
  ['a name too many', { names: [...LEAF.names, 'evil.test'] }, {}, 'also for evil.test'],
  ['another key', {}, { key_fits: false }, 'another key'],
  ['over', { not_after: NOW }, {}, 'ended at 2026-07-22T00:00:00.000Z'],
  ['begins in an hour', { not_before: NOW + 60 * MINUTE }, {}, 'begins only at'],
  ['the authority is two minutes ahead', { not_before: NOW + 2 * MINUTE }, {}, null],
  ['ends with the old one', { not_after: OLD.not_after }, {}, null],
  ['one of the same day, which ends with the old one', { ...OLD, fingerprint: 'cd' }, {}, null],
  ['the old one itself', OLD, {}, 'not later than the one it replaces'],
  [
    'an older one',
    { ...OLD, not_before: OLD.not_before - DAY, not_after: OLD.not_after - DAY },
    {},
    'not later',
  ],
  ['shorter ones from now on', { not_after: NOW + 20 * DAY }, {}, null],
  ['ends before that of another authority', { ...OLD }, { directory: 'https://other.test' }, null],
  ['ends before that for other names', { ...OLD }, { replaces: { ...OLD, names: ['example.com'] } }, null],
])('%s', (_what, leaf, expected, fault) => {
  const found = unfitness({ ...LEAF, ...leaf }, { ...WANTED, ...expected })
  if (fault === null) expect(found).toBeNull()
  else expect(found).toContain(fault)
})
