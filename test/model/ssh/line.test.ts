/** Lines of strangers are read as sshd reads them: a key that it takes is never missed, however it is spelt. */
import { expect, it } from 'vitest'
import { blobOf, fieldsOf } from '../../../src/model/ssh/key-blob.ts'
import { readLine } from '../../../src/features/ssh-clients/model/line.ts'
import { ED25519, RSA, SAID } from './keys.ts'

const [, , FINGERPRINT] = SAID.ED25519
const [type = '', key = ''] = ED25519.split(' ')

it.each([
  ['plain', ED25519, '', ''],
  ['with a comment', `${ED25519} alice at home`, '', 'alice at home'],
  ['indented, with tabs', ` \t${type}\t${key}\talice`, '', 'alice'],
  ['with options', `restrict,pty ${ED25519} a`, 'restrict,pty', 'a'],
  [
    'with quotes, blanks and escaped quotes in options',
    `command="echo \\" ssh-rsa AAAA",pty  ${ED25519}`,
    'command="echo \\" ssh-rsa AAAA",pty',
    '',
  ],
  ['of a certificate authority', `cert-authority ${ED25519} ca`, 'cert-authority', 'ca'],
  ['with a carriage return at the end', `${ED25519}\r`, '', ''],
  ['with whitespace within its base64', `${type} ${key.slice(0, 9)}\r\f\v${key.slice(9)} a`, '', 'a'],
  ['ended by a NUL', `${ED25519}\0 ssh-rsa AAAA`, '', ''],
])('a key %s', (_how, line, options, comment) => {
  expect(readLine(line)).toEqual({ options, type, key, fingerprint: FINGERPRINT, comment })
})

it('an RSA key with needless zeros is the key without them', () => {
  const [name, e, n] = fieldsOf(Buffer.from(RSA.split(' ')[1]!, 'base64')) as [Buffer, Buffer, Buffer]
  const zeros = Buffer.alloc(3)
  const other = blobOf([name, Buffer.concat([zeros, e]), Buffer.concat([zeros, n])])
  expect(readLine(`ssh-rsa ${other.toString('base64')}`)?.fingerprint).toBe(SAID.RSA[2])
})

it.each([
  '',
  '   ',
  '# comment',
  `# ${ED25519}`,
  'ssh-ed25519',
  'ssh-ed25519 AAAA',
  `ssh-rsa ${key}`,
  `pty, x ${ED25519}`,
  `"${ED25519}`,
  `\0${ED25519}`,
])('no key: %j', (line) => {
  expect(readLine(line)).toBeNull()
})
