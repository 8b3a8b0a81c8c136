/** The grammar of what an ACME authority is told. */
import { describe, expect, it } from 'vitest'
import { Secret } from '../../src/kernel/secret.ts'
import { SECTIONS } from '../../src/settings-wiring.ts'

const { acme_directory, acme_email, acme_eab_key, acme_caa } = SECTIONS.certificates

describe('the directory', () => {
  it.each([
    ['letsencrypt', 'https://acme-v02.api.letsencrypt.org/directory'],
    ['LetsEncrypt-Staging', 'https://acme-staging-v02.api.letsencrypt.org/directory'],
    ['zerossl', 'https://acme.zerossl.com/v2/DV90'],
    ['https://ca.home.arpa:9000/acme/acme/directory', 'https://ca.home.arpa:9000/acme/acme/directory'],
    ['https://ca.test/dir?profile=short', 'https://ca.test/dir?profile=short'],
  ])('%s is %s', (text, url) => {
    expect(acme_directory.schema.parse(text)).toBe(url)
  })

  it.each([
    'http://ca.test/dir',
    'lets-encrypt',
    'https://u:p@ca.test/dir',
    'https://ca.test/dir#x',
    'https://',
  ])('%s is refused', (text) => {
    const refused = acme_directory.schema.safeParse(text)
    expect(refused.error?.issues[0]?.message).toMatch(/^must /)
  })
})

it.each([
  ['ops@example.com', true],
  ['o.p+s@mail.example.co', true],
  ['ops@example.com,more@example.com', false],
  ['ops@example.com?cc=x@example.com', false],
  ['mailto:ops@example.com', false],
  ['ops', false],
])('the address %s: %s', (text, good) => {
  expect(acme_email.schema.safeParse(text).success).toBe(good)
})

it.each([
  ['zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W', null],
  ['ab+/ab+/ab+/ab+/ab==', 'ab-_ab-_ab-_ab-_ab'],
  ['too-short', undefined],
  ['not a key at all, this one', undefined],
])('the key of an external account %s', (text, expected) => {
  const parsed = acme_eab_key.schema.safeParse(text)
  expect(parsed.success).toBe(expected !== undefined)
  if (!parsed.success) return expect(parsed.error.issues[0]?.message).not.toContain(text)
  expect(parsed.data).toBeInstanceOf(Secret)
  expect((parsed.data as Secret).reveal()).toBe(expected ?? text)
})

it('the names of the authority in CAA records', () => {
  expect(acme_caa.schema.parse('letsencrypt.org, Sectigo.com')).toEqual(['letsencrypt.org', 'sectigo.com'])
  expect(acme_caa.schema.safeParse('letsencrypt').success).toBe(false)
})
