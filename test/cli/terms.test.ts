/** What the API says in its own names, as the person typed them. */
import { expect, it } from 'vitest'
import type { Form } from '../../src/cli/verb.ts'
import { termsOf } from '../../src/cli/words/terms.ts'
import { mode } from '../../src/features/system/mode-command.ts'
import { add } from '../../src/features/domains/command/add.ts'
import { set } from '../../src/features/domains/command/set.ts'

const [adding] = add.forms as readonly [Form]
const [, suspending] = mode.forms as readonly [Form, Form]
const [setting] = set.forms as readonly [Form]

it.each([
  [suspending, ['body', 'reason'], '--reason is required'],
  [suspending, ['body', 'expires_at'], '--for is required'],
  [adding, ['body', 'domain'], 'NAME is required'],
  [adding, ['body', 'backend_port'], 'BACKEND is required'],
  [adding, ['body', 'backend_tls', 'ca_name'], '--backend-tls.ca_name is required'],
  // Who types the field by its name is told of it by its name.
  [setting, ['body', 'backend_port'], 'backend_port is required'],
  [null, ['query', 'limit'], 'limit is required'],
  [null, ['body'], 'body is required'],
])('a fault of a field is one of what was typed', (form, loc, said) => {
  expect(termsOf(form).fault({ loc, msg: 'is required' })).toBe(said)
})

it.each([
  [
    adding,
    'give static_ip, or let one report (ddns_enabled)',
    'give --static-ip, or let one report (--ddns-enabled)',
  ],
  [
    adding,
    'Send "backend_scheme":"https","backend_tls":{"trust":"insecure"} for that, or backend_scheme to leave it',
    `Send --backend-scheme https --backend-tls '{"trust":"insecure"}' for that, or --backend-scheme to leave it`,
  ],
  [adding, 'To leave it open, say auth_required=false.', 'To leave it open, say --no-auth-required.'],
  [adding, 'or auth_required to false for what is open', 'or --no-auth-required for what is open'],
  // A command that is quoted is typed as it stands.
  [adding, 'plumbline set NAME static_ip= takes it away', 'plumbline set NAME static_ip= takes it away'],
  [
    adding,
    'Repeat the call with confirm=0123456789ab if',
    'Repeat the command with --confirm 0123456789ab if',
  ],
  [setting, 'static_ip stays empty', 'static_ip stays empty'],
  [null, 'This call needs the header X-API-Key.', 'This call needs the key in API_KEY.'],
  [null, 'Repeat the call with confirm=0123456789ab if', 'Repeat the call with confirm=0123456789ab if'],
])('a sentence has the options of its verb', (form, text, said) => {
  expect(termsOf(form).sentence(text)).toBe(said)
})

it('a fault names what was typed, once', () => {
  const options = { 'static-ip': 'foo' }
  const { fault } = termsOf(adding, { values: ['app_', '10.0.0.5:80'], options })
  const said = (field: string, msg: string) => fault({ loc: ['body', field], msg })
  expect(said('domain', 'must be a name')).toBe('NAME "app_" must be a name')
  expect(said('domain', '"app_" is reserved')).toBe('NAME "app_" is reserved')
  expect(said('static_ip', 'must be an address')).toBe('--static-ip "foo" must be an address')
  expect(said('note', 'is required')).toBe('--note is required')
  const words = ['app.example.com', 'backend_port=0']
  const of_set = termsOf(setting, { values: words, options: {} })
  expect(of_set.fault({ loc: ['body', 'backend_port'], msg: 'must be at least 1' })).toBe(
    'backend_port "0" must be at least 1',
  )
})
