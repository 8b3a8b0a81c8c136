/** The lines for routers: whole, copyable, and within what the routers' own readers take. */
import { describe, expect, test } from 'vitest'
import { Secret } from '../../../src/kernel/secret.ts'
import { lineWarnings, routerLines } from '../../../src/features/ddns/router-lines.ts'
import { newSecret } from '../../../src/kernel/issued-secret.ts'

const HOST = 'home.example.com'
const KEY = new Secret('k_7Qd2xv-9')

test('behind a public address every line has its host, and the scheme is said where a router asks for it', () => {
  const { url, curl, unifi, inadyn, ddclient } = routerLines('https://ctl.example.org', HOST, KEY)
  expect(url).toBe('https://ctl.example.org/api/ddns/update/home.example.com?key=k_7Qd2xv-9')
  expect(curl).toBe(`curl --fail-with-body -sS "${url}&ip=$ADDRESS"`)
  expect(unifi).toEqual({
    service: 'custom',
    hostname: HOST,
    username: 'ddns',
    password: 'unused',
    server: 'ctl.example.org/api/ddns/update/home.example.com?key=k_7Qd2xv-9&ip=%i',
  })
  expect(inadyn).toBe(`custom home.example.com {
    # Start it with -C, or it ends at the first refusal: inadyn -C
    ddns-server = "ctl.example.org"
    ddns-path   = "/api/ddns/update/home.example.com?key=k_7Qd2xv-9&ip=%i"
    ssl         = true
    hostname    = "home.example.com"
    username    = "ddns"
    password    = "unused"
}`)
  expect(ddclient).toBe(`protocol=dyndns2
use=web
web=ipify-ipv4
ssl=yes
server=ctl.example.org
script=/nic/update
login=ddns
password=k_7Qd2xv-9
home.example.com`)
})

test('a port and a path in front of ours are part of every line', () => {
  const { url, unifi, inadyn, ddclient } = routerLines('http://10.0.0.2:8080/plumbline', HOST, KEY)
  expect(url).toContain('http://10.0.0.2:8080/plumbline/api/ddns/update/')
  expect(unifi.server).toMatch(/^10\.0\.0\.2:8080\/plumbline\/api\//)
  expect(inadyn).toContain('ddns-server = "10.0.0.2:8080"')
  expect(inadyn).toContain('ssl         = false')
  expect(ddclient).toContain('ssl=no\nserver=10.0.0.2:8080\nscript=/plumbline/nic/update\n')
})

describe('what routers cannot take', () => {
  test('no line for inadyn has a "%" besides the address, or a blank or quote in its path', () => {
    for (let i = 0; i < 200; i++) {
      const { unifi } = routerLines('https://ctl.example.org', HOST, newSecret())
      expect(unifi.server).toMatch(/^[A-Za-z0-9./?&=_-]+&ip=%i$/)
    }
  })

  test('a key has 256 bits, in letters, digits, "-" and "_"', () => {
    expect(newSecret().reveal()).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(new Set(Array.from({ length: 1000 }, () => newSecret().reveal())).size).toBe(1000)
  })

  test('an https address with a name of usual length has no warning', () => {
    expect(lineWarnings('https://ctl.example.org', HOST, newSecret())).toEqual([])
  })

  test('a key that travels in the open, and a path that some routers cut, are told', () => {
    const long = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.example.com`
    const warnings = lineWarnings('http://127.0.0.1:8080', long, newSecret())
    expect(warnings).toEqual([
      expect.stringContaining('cut'),
      expect.stringContaining('PLUMBLINE_PUBLIC_URL'),
    ])
  })
})
