/** Mail addresses, names and groups: one thing each, whoever reads them. */
import { describe, expect, it } from 'vitest'
import {
  mailboxKey,
  mailDomain,
  parseGroups,
  parseMailAddress,
  personNameFault,
} from '../../../src/model/network/mailbox.ts'

describe('a mail address', () => {
  it.each([
    ['jo@example.com', 'jo@example.com'],
    ['Jo.Doe+tag@EXAMPLE.com', 'Jo.Doe+tag@example.com'],
    ['jo@Bücher.example', 'jo@xn--bcher-kva.example'],
    ["o'neill@example.co.uk", "o'neill@example.co.uk"],
  ])('%s is taken', (text, address) => {
    expect(parseMailAddress(text)).toEqual({ ok: true, value: address })
  })

  it.each([
    '',
    'jo',
    '@example.com',
    'jo@',
    'jo@localhost',
    'jo@127.0.0.1',
    'jo@[127.0.0.1]',
    'a@b@example.com',
    'a b@example.com',
    '"a b"@example.com',
    'jo@example.com, x@example.com',
    'jo@example.com\r\nBcc: x@example.com',
    'jo\r\n@example.com',
    'jo\u0000@example.com',
    '<jo@example.com>',
    'Jo <jo@example.com>',
    'jо@example.com',
    '.jo@example.com',
    'jo.@example.com',
    'j..o@example.com',
    'jo@*.example.com',
    'jo@-example.com',
    `${'a'.repeat(65)}@example.com`,
    `a@${'b.'.repeat(130)}com`,
    'jo(comment)@example.com',
  ])('%j is none', (text) => {
    expect(parseMailAddress(text).ok).toBe(false)
  })

  it('is the same mailbox in any case', () => {
    expect(mailboxKey('Jo@Example.com')).toBe(mailboxKey('jo@example.COM'))
    expect(mailDomain('jo@example.com')).toBe('example.com')
  })
})

it('groups are names, each once and in order', () => {
  expect(parseGroups(['b', 'a', 'b'])).toEqual({ ok: true, value: ['a', 'b'] })
  for (const wrong of ['', ' ', 'a b', 'a,b', 'a\nb', '-a', 'x'.repeat(65), 'ä'])
    expect(parseGroups([wrong]).ok, wrong).toBe(false)
  expect(parseGroups(Array.from({ length: 33 }, (_, i) => `g${i}`)).ok).toBe(false)
})

it('a name of a person is one line with something on it', () => {
  expect(personNameFault('José "the" Müller: #1')).toBeNull()
  for (const wrong of ['', '  ', 'a\nb', 'a\u0000', 'a\u2028b', 'x'.repeat(101), '\ud800'])
    expect(personNameFault(wrong), wrong).not.toBeNull()
})
