/** For which names a certificate is, as Go's VerifyHostname answers it (Go 1.26 was asked for each row with a name). */
import { afterAll, expect, it } from 'vitest'
import { isForName } from '../../src/model/network/certificate-text.ts'
import { backendCertificates } from '../fakes/backend-certificates.ts'

const made = backendCertificates()
afterAll(() => made[Symbol.dispose]())

it.each([
  ['DNS:*.lan', 'pve.lan', true],
  ['DNS:*.lan', 'a.pve.lan', false],
  ['DNS:*.lan', 'lan', false],
  ['DNS:*', 'nas', false],
  ['DNS:n*.lan', 'nas.lan', false],
  ['DNS:a.*.lan', 'a.b.lan', false],
  ['DNS:NAS.lan', 'nas.LAN', true],
  ['DNS:nas.lan', 'nas.lan.', true],
  ['DNS:nas.lan', 'nas', false],
  ['DNS:nas', 'nas', true],
  ['DNS:nas_1.lan', 'nas_1.lan', true],
  ['IP:10.0.0.7', '10.0.0.7', true],
  ['DNS:nas.lan', '10.0.0.7', false],
  ['IP:fd00::7', 'fd00::7', true],
])('%s is for %s: %s', (san, name, answer) => {
  expect(isForName(made.make({ san }).cert, name)).toBe(answer)
})
