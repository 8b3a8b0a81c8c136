/** No secret of any kind reaches a log, however it is handed over and in whichever form the line is written. */
import { describe, expect, it } from 'vitest'
import { createLog, type LogOptions } from '../../../src/io/log/create-log.ts'
import { Failure } from '../../../src/kernel/failure.ts'
import type { Facts } from '../../../src/kernel/log.ts'
import { MARK, RANDOM, SECRET_NAMES, SECRET_TEXTS, SECRET_VALUES } from './canaries.ts'

/** What a log writes for one line, in both forms. */
function written(message: string, facts: Facts): string {
  return (['json', 'pretty'] as const)
    .map((format: LogOptions['format']) => {
      const lines: string[] = []
      createLog({ level: 'debug', format, destination: { write: (line) => lines.push(line) } }).error(
        message,
        facts,
      )
      expect(lines).toHaveLength(1)
      return lines.join('')
    })
    .join('')
}

/** The ways in which one value gets into a line. */
function carriers(value: unknown): Facts[] {
  const inner = new Error(String(value), { cause: { detail: value } })
  return [
    { value },
    { deep: { list: [{ value }], map: new Map([['value', value]]) } },
    { error: new Error('outer', { cause: inner }) },
    { error: new AggregateError([inner], 'several') },
    { error: new Failure('internal', 'outer', { inside: String(value), cause: inner, facts: { value } }) },
    { error: Object.assign(new Error('with members'), { request: { body: value } }) },
  ]
}

describe('a secret in a text', () => {
  it.each(Object.entries(SECRET_TEXTS))('is hidden: %s', (_kind, text) => {
    expect(text).toContain(MARK)
    for (const facts of carriers(text)) expect(written('constant', facts)).not.toContain(MARK)
    expect(written(text, {})).not.toContain(MARK)
  })

  it('is hidden also where the text is cut because of its length', () => {
    for (const text of Object.values(SECRET_TEXTS)) {
      for (let cut = 0; cut <= text.length + 10; cut += 7) {
        const line = written('constant', { text: 'x'.repeat(8192 - cut - 1) + ' ' + text })
        expect(line).not.toContain(MARK)
      }
    }
  })

  it('leaves the rest readable', () => {
    const url = 'GET /api/ddns/update/a.example?key=abc&ip=192.0.2.1'
    expect(written(url, {})).toContain('/api/ddns/update/a.example?key=[hidden]&ip=192.0.2.1')
    const harmless = 'routes: 3 of 4 repaired in /srv/traefik/routes.yml, see https://a.example/docs#drift'
    expect(written(harmless, {})).toContain(harmless)
  })
})

describe('a secret under its name', () => {
  it.each(SECRET_NAMES)('is hidden: %s', (name) => {
    const found = [
      { [name]: RANDOM },
      { deep: [{ deeper: { [name]: RANDOM } }] },
      { [name]: { inner: RANDOM } },
      { [name]: [RANDOM] },
      { error: Object.assign(new Error('x'), { [name]: RANDOM }) },
    ]
    for (const facts of found) expect(written('constant', facts)).not.toContain(MARK)
  })

  it('may be seen to be missing', () => {
    expect(written('constant', { api_key: null })).toContain('"api_key":null')
  })

  it('does not take harmless names with it', () => {
    const facts = {
      revision: 4,
      queue_key: 'routes',
      keys: 2,
      path: '/x',
      domain: 'monkey.example',
      tokenizer: 'y',
    }
    const line = written('constant', facts)
    for (const [name, value] of Object.entries(facts))
      expect(line).toContain(`"${name}":${JSON.stringify(value)}`)
  })
})

describe('a thing that holds a secret', () => {
  it.each(Object.entries(SECRET_VALUES))('does not show it: %s', (_kind, value) => {
    for (const facts of [
      { value },
      { deep: { value: [value] } },
      { error: new Error('x', { cause: value }) },
    ])
      expect(written('constant', facts)).not.toContain(MARK)
  })
})
