/** Which hosts a text names that only the proxy can read. */
import { expect, it } from 'vitest'
import { hostsNamed } from '../../../../../src/features/routes/proxy/shadow/hosts-named.ts'

it.each([
  ['Host(`home.example.com`)', 'home.example.com', true],
  ['rule: "HOST(`Home.Example.com`)"', 'home.example.com', true],
  ['HostRegexp(`^home\\.example\\.com$`)', 'home.example.com', true],
  ['"HostRegexp(`^home\\\\.example\\\\.com$`)"', 'home.example.com', true],
  ['HostRegexp(`^home[.]example[.]com$`)', 'home.example.com', true],
  ['Host(`{{ env "X" }}.example.com`)', 'home.example.com', true],
  ['HostRegexp(`.+\\.example\\.com`)', 'home.example.com', true],
  ['Host(`*.example.com`)', 'home.example.com', true],
  ['home.example.com.', 'home.example.com', true],
  ['Host(`other.example.com`)', 'home.example.com', false],
  ['Host(`home.example.org`)', 'home.example.com', false],
  ['example.com', 'home.example.com', false],
])('%s, %s: %s', (text, host, is_named) => expect(hostsNamed(text)(host)).toBe(is_named))

it('takes time by the length of the text, and not by its square', () => {
  // The square of it would be an hour.
  for (const letter of ['a', '\\', '.', '[', '-'])
    expect(hostsNamed(letter.repeat(4_000_000))('a.b.c')).toBe(false)
})
