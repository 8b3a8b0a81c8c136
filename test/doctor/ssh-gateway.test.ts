/** What doctor says of the SSH gateway, as a table. */
import { expect, it } from 'vitest'
import { gatewayFindings } from '../../src/doctor/ssh-gateway.ts'
import { offenceWords, strictModesOffences } from '../../src/model/ssh/strict-modes.ts'
import type { ClientsAnswer } from '../../src/features/ssh-clients/views.ts'

const GATEWAY: ClientsAnswer = {
  configured: true,
  place: 'sftp://gate@host:22/keys',
  reachable: true,
  detail: null,
  offences: [],
  offences_by_part: [],
  drift: false,
  clients: [],
  differences: [],
}
const offencesAt = (mode: number, path = '/a'): Partial<ClientsAnswer> => {
  const offences = strictModesOffences({ uid: 1000, steps: [{ path, uid: 1000, mode }] })
  return { offences: offences.map(offenceWords), offences_by_part: [...offences] }
}
const states = (findings: readonly { readonly check: string; readonly state: string }[]) =>
  findings.map(({ check, state }) => `${check}: ${state}`)

it.each<[string, Partial<ClientsAnswer>, readonly string[]]>([
  ['nothing is set up', { configured: false, place: null }, []],
  ['all is well', {}, ['SSH gateway: good']],
  ['it is not reached', { reachable: false, detail: 'ECONNREFUSED' }, ['SSH gateway: bad']],
  ['sshd would pass over the file', offencesAt(0o606), ['SSH gateway: good', 'SSH gateway file: bad']],
  [
    'only some sshd would pass over the file',
    offencesAt(0o660),
    ['SSH gateway: good', 'SSH gateway file: warning'],
  ],
  [
    'modes cannot be seen',
    { offences: null, offences_by_part: null },
    ['SSH gateway: good', 'SSH gateway file: warning'],
  ],
])('the gateway, where %s', (_, change, wanted) => {
  expect(states(gatewayFindings({ ...GATEWAY, ...change }))).toEqual(wanted)
})

it('an offence is told with its remedy, and a reached gateway with its pin', () => {
  const [gateway, file] = gatewayFindings({ ...GATEWAY, ...offencesAt(0o602, '/a: its group') })
  expect(gateway?.detail).toContain('with the pinned host key')
  expect(file).toMatchObject({
    detail: expect.stringContaining('/a: its group may be written by everybody, so') as string,
    remedy: 'chmod o-w /a: its group',
  })
})
