/** What doctor says of the SSH gateway, as a table. */
import { expect, it } from 'vitest'
import { gatewayFindings } from '../../src/doctor/ssh-gateway.ts'
import type { ClientsAnswer } from '../../src/features/ssh-clients/views.ts'

const GATEWAY: ClientsAnswer = {
  configured: true,
  place: 'sftp://gate@host:22/keys',
  reachable: true,
  detail: null,
  offences: [],
  drift: false,
  clients: [],
  differences: [],
}
const states = (findings: readonly { readonly check: string; readonly state: string }[]) =>
  findings.map(({ check, state }) => `${check}: ${state}`)

it.each<[string, Partial<ClientsAnswer>, readonly string[]]>([
  ['nothing is set up', { configured: false, place: null }, []],
  ['all is well', {}, ['SSH gateway: good']],
  ['it is not reached', { reachable: false, detail: 'ECONNREFUSED' }, ['SSH gateway: bad']],
  [
    'sshd would pass over the file',
    { offences: ['/a may be written by everybody: chmod o-w /a'] },
    ['SSH gateway: good', 'SSH gateway file: bad'],
  ],
  ['modes cannot be seen', { offences: null }, ['SSH gateway: good', 'SSH gateway file: warning']],
])('the gateway, where %s', (_, change, wanted) => {
  expect(states(gatewayFindings({ ...GATEWAY, ...change }))).toEqual(wanted)
})

it('an offence is told with its remedy, and a reached gateway with its pin', () => {
  const offences = ['/a may be written by everybody: chmod o-w /a']
  const [gateway, file] = gatewayFindings({ ...GATEWAY, offences })
  expect(gateway?.detail).toContain('with the pinned host key')
  expect(file).toMatchObject({
    detail: expect.stringContaining('/a may be written') as string,
    remedy: 'chmod o-w /a',
  })
})
