/** What doctor makes of the provider's command, of the users file and of the program that restarts, as tables. */
import { expect, it } from 'vitest'
import { evaluateProgram, evaluateRulesCheck, evaluateUsers } from '../../../src/doctor/sso/evaluate.ts'
import { checkResult } from '../../../src/model/access/config-check.ts'
import type { Ran } from '../../../src/kernel/run-command.ts'
import type { FileUser, UsersRead } from '../../../src/ports/users-file.ts'
import { told } from '../told.ts'

const TAKEN = 'Configuration parsed and loaded successfully without errors.'
const CORRECT = 'Correct PLUMBLINE_AUTHELIA, or what it complains of: no rules are written until then.'

it.each<[string, Ran, string]>([
  [
    'takes the file',
    { ok: true, said: `${'x'.repeat(600)}\n${TAKEN}\n`, output: 'x' },
    'good SSO rules check: authelia takes /r.yml',
  ],
  [
    'is not there',
    { ok: false, why: 'there is no program authelia', output: '', ended: false },
    `bad SSO rules check: there is no program authelia → ${CORRECT}`,
  ],
  [
    'ends well and complains (4.37)',
    { ok: true, said: 'loaded with errors:', output: 'loaded with errors:' },
    `bad SSO rules check: the command ended well, but did not say "${TAKEN}" and said: loaded with errors: → ${CORRECT}`,
  ],
  [
    'complains',
    { ok: false, why: 'authelia ended with 1', output: 'line 3', ended: true },
    `bad SSO rules check: authelia ended with 1 and said: line 3 → ${CORRECT}`,
  ],
])('a command that %s', (_, ran, line) => {
  expect(told(evaluateRulesCheck(checkResult(ran), { program: 'authelia', rules_file: '/r.yml' }))).toBe(line)
})

const USER: FileUser = { password: null, display_name: null, email: null, groups: [], disabled: false }
const read = (names: readonly string[], faults: (UsersRead & { ok: true })['faults'] = []): UsersRead => ({
  ok: true,
  users: new Map(names.map((name) => [name, USER])),
  faults,
})
const MEND = 'Authelia refuses such a file as a whole: mend it or put a copy back.'

it.each<[string, UsersRead | { readonly unreadable: string }, string]>([
  ['with one user', read(['ana']), 'good SSO users file: /u.yml, 1 user'],
  ['with several', read(['ana', 'ben']), 'good SSO users file: /u.yml, 2 users'],
  [
    'with a user that is refused',
    read(['ana'], [{ username: 'ana', msg: 'has no password' }]),
    `bad SSO users file: /u.yml: ana has no password → ${MEND}`,
  ],
  [
    'that is refused for nobody in particular',
    read([], [{ username: null, msg: 'has no users' }]),
    `bad SSO users file: /u.yml: the file has no users → ${MEND}`,
  ],
  [
    'that is no YAML',
    { ok: false, msg: 'line 1 is not YAML' },
    `bad SSO users file: /u.yml line 1 is not YAML → ${MEND}`,
  ],
  [
    'that is not there',
    { unreadable: 'ENOENT' },
    `bad SSO users file: /u.yml cannot be read (ENOENT) → ${MEND}`,
  ],
])('a users file %s', (_, found, line) => {
  expect(told(evaluateUsers('/u.yml', found))).toBe(line)
})

it.each([
  [true, 'good SSO restart: by systemctl'],
  [false, 'bad SSO restart: there is no program systemctl that may be run → Correct PLUMBLINE_SSO_RESTART.'],
])('a program that is there: %s', (is_there, line) => {
  expect(told(evaluateProgram('systemctl', is_there))).toBe(line)
})
