/** Who is told and how soon: what is taken, what is refused, and that no webhook's address is ever repeated. */
import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/settings-wiring.ts'
import { showSpan } from '../../src/config/kinds/span.ts'

const load = (env: Readonly<Record<string, string>>) => loadConfig(env).settings.notify

describe('spans of time', () => {
  it.each([
    ['90s', 90_000],
    ['10m', 600_000],
    ['24h', 86_400_000],
    ['7d', 604_800_000],
  ])('%s', (text, ms) => {
    expect(load({ PLUMBLINE_NOTIFY_AFTER: text }).after_ms).toBe(ms)
  })

  it.each(['10', '0s', '31d', '10 m', '-1m', '1.5h', 'off', '9999999m'])('%j is refused', (text) => {
    expect(() => load({ PLUMBLINE_NOTIFY_AFTER: text })).toThrow(/PLUMBLINE_NOTIFY_AFTER .*such as 90s/)
  })

  it('are shown as they would be typed', () => {
    expect([90_000, 600_000, 86_400_000, 7_200_000, null].map(showSpan)).toEqual([
      '90s',
      '10m',
      '1d',
      '2h',
      'off',
    ])
  })

  it('a repeat may be off', () => {
    expect(load({ PLUMBLINE_NOTIFY_REPEAT: 'off' }).repeat_ms).toBeNull()
    expect(load({}).repeat_ms).toBe(86_400_000)
  })
})

describe('webhooks', () => {
  it('are a list, each once, and print as hidden', () => {
    const { webhook } = load({
      PLUMBLINE_NOTIFY_WEBHOOK: 'https://a.example/k?x=1, http://10.0.0.5/k,https://a.example/k?x=1',
    })
    expect(webhook!.reveal()).toBe('https://a.example/k?x=1,http://10.0.0.5/k')
    expect(JSON.stringify(load({ PLUMBLINE_NOTIFY_WEBHOOK: 'https://a.example/hush' }))).not.toContain('hush')
  })

  it.each(['ftp://a.example/hush', 'https://u:hush@a.example/', 'https://a.example/hush#x', 'hush', ' , '])(
    '%j is refused without being repeated',
    (text) => {
      const fault = (() => {
        try {
          load({ PLUMBLINE_NOTIFY_WEBHOOK: text })
        } catch (error) {
          return (error as Error).message
        }
        return null
      })()
      expect(fault).toMatch(/^PLUMBLINE_NOTIFY_WEBHOOK must/)
      expect(fault).not.toContain('hush')
    },
  )
})

it.each([
  ['PLUMBLINE_NOTIFY_MAIL', 'not an address'],
  ['PLUMBLINE_NOTIFY_MAIL', Array.from({ length: 51 }, (_, i) => `a${i}@example.net`).join(',')],
  ['PLUMBLINE_NOTIFY_CERTIFICATE_DAYS', '0'],
  ['PLUMBLINE_NOTIFY_CERTIFICATE_DAYS', '14;3'],
])('%s=%s is refused', (name, text) => {
  expect(() => load({ [name]: text })).toThrow(name)
})
