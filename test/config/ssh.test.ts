/** Settings of the SSH gateway. */
import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/settings-wiring.ts'
import { showPlace } from '../../src/config/kinds/sftp.ts'
import { ED25519 } from '../model/ssh/keys.ts'

const ssh = (env: Readonly<Record<string, string>>) => loadConfig(env).settings.ssh
const place = (text: string) => ssh({ PLUMBLINE_AUTHORIZED_KEYS: text }).authorized_keys

describe('where the keys are', () => {
  it.each([
    ['/home/gate/.ssh/authorized_keys', { kind: 'file', path: '/home/gate/.ssh/authorized_keys' }],
    [
      'sftp://gate@gw.lan/etc/keys',
      { kind: 'sftp', user: 'gate', host: 'gw.lan', port: 22, path: '/etc/keys' },
    ],
    [
      'sftp://gate@[2001:db8::1]:2222/k',
      { kind: 'sftp', user: 'gate', host: '2001:db8::1', port: 2222, path: '/k' },
    ],
    [
      'sftp://gate@gw/~/.ssh/authorized_keys',
      { kind: 'sftp', user: 'gate', host: 'gw', port: 22, path: '.ssh/authorized_keys' },
    ],
  ])('%s', (text, expected) => {
    expect(place(text)).toEqual(expected)
  })

  it('is shown as it can be typed', () => {
    for (const text of ['/a/b', 'sftp://gate@[2001:db8::1]:2222/~/k', 'sftp://gate@gw:22/k'])
      expect(showPlace(place(text)!)).toBe(text)
  })

  it.each([
    'sftp://gw/k',
    'sftp://gate:word@gw/k',
    'sftp://gate@gw',
    'sftp://gate@gw/',
    'sftp://gate@gw:0/k',
    'sftp://gate@gw:99999/k',
    'sftp://-oProxyCommand@gw/k',
    'scp://gate@gw/k',
    'sftp://gate@gw/a\nb',
  ])('not %j', (text) => {
    expect(() => place(text)).toThrow(/PLUMBLINE_AUTHORIZED_KEYS/)
  })
})

describe('pinned host keys', () => {
  const pins = (text: string) => ssh({ PLUMBLINE_AUTHORIZED_KEYS_HOST_KEY: text }).host_keys

  it('are whole keys or fingerprints, several with commas', () => {
    const fingerprint = 'SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU'
    expect(pins(`${ED25519}, ${fingerprint}`)).toMatchObject([
      { type: 'ssh-ed25519', fingerprint: expect.stringMatching(/^SHA256:.{43}$/) as string },
      { type: null, fingerprint },
    ])
  })

  it.each(['SHA256:short', 'MD5:00:11', ED25519.slice(0, -1), `gw ${ED25519}`, 'ssh-dss AAAA'])(
    'not %j',
    (text) => {
      expect(() => pins(text)).toThrow('is no host key')
    },
  )
})

it('what a new client may do is a list of words', () => {
  expect(ssh({}).client_options).toEqual(['pty', 'port_forwarding'])
  expect(ssh({ PLUMBLINE_SSH_CLIENT_OPTIONS: 'none' }).client_options).toEqual([])
  expect(() => ssh({ PLUMBLINE_SSH_CLIENT_OPTIONS: 'pty,toString' })).toThrow('is none of')
})
