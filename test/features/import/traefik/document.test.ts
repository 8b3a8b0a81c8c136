/** Files as they come: templates told apart, hostile YAML refused, and a report that cannot write to a terminal. */
import { describe, expect, test } from 'vitest'
import { yamlDocuments } from '../../../../src/io/yaml/documents.ts'
import { importReport, reportLines } from '../../../../src/features/import/report.ts'
import { fromTraefik } from '../../../../src/features/import/traefik.ts'
import { traefikDocument } from '../../../../src/features/import/traefik/document.ts'
import { CONTEXT } from './context.ts'
import { itInDepth } from '../../../kit/in-depth.ts'

const read = (text: string) => traefikDocument('a.yml', text, yamlDocuments)

describe('Go templates', () => {
  const whole = { unreadable: { reason: 'is part of a Go template, which only Traefik can render' } }

  test.each([
    ['around lines', 'http:\n{{ if true }}\n  routers: {}\n{{ end }}\n', 2],
    ['in a comment', '# {{ env "A" }}\nhttp: {}\n', 1],
    ['a condition inside a value', 'http:\n  a: "{{ if true }}x{{ end }}"\n', 2],
    ['marks that join lines', 'http:\n  a: "{{- env `A` -}}"\n', 2],
    ['a template comment', 'http:\n  a: "{{/* x */}}"\n', 2],
    ['an unquoted action', 'http:\n  a: {{ env "A" }}\n', 2],
  ])('%s: the file is left as a whole, with the first line', (_name, text, line) => {
    expect(read(text)).toMatchObject({ unreadable: { ...whole.unreadable, line } })
  })

  test('an action inside a value leaves the rest of the file readable', () => {
    expect(read('http:\n  a: "{{ env `A` }}"\n  b: x\n')).toMatchObject({ data: { http: { b: 'x' } } })
  })
})

describe('hostile files are refused with a line or a size', () => {
  test.each<[string, string]>([
    [
      'an alias bomb',
      `a: &a [x]\n${Array.from({ length: 20 }, (_, i) => `b${i}: &b${i} [*a, *a, *a]`).join('\n')}`,
    ],
    ['deep brackets', '['.repeat(1200)],
    ['deep brackets again', '['.repeat(1200)],
    ['5 MB', `http:\n  x: "${'y'.repeat(5_000_000)}"`],
  ])('%s', (_name, text) => {
    const document = read(text)
    expect(document).toHaveProperty('unreadable.reason')
    const { records, leftovers } = fromTraefik([document], CONTEXT)
    expect(records).toEqual([])
    expect(leftovers).toHaveLength(1)
  })

  itInDepth('60,000 keys are one leftover, not 60,000 stalls', () => {
    const document = read(Array.from({ length: 60_000 }, (_, i) => `key${i}: x`).join('\n'))
    expect(fromTraefik([document], CONTEXT).leftovers).toHaveLength(60_000)
  })
})

describe('the report', () => {
  const escape = '\u001b[31mred\u0007\u202e'
  const http = {
    routers: {
      [escape]: { rule: `Host(\`${escape}\`)`, service: escape },
      fine: { rule: 'Host(`a.example.com`)', service: 's', tls: {} },
    },
    services: { s: { loadBalancer: { servers: [{ url: 'http://10.0.0.1' }] } } },
  }
  const result = fromTraefik([{ file: 'a.yml', data: { http } }], CONTEXT)

  test('shows no control characters, however names are spelled', () => {
    // eslint-disable-next-line no-control-regex
    expect(reportLines(result).join('')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/)
    expect(reportLines(result).join('\n')).toContain('\\u001b[31mred')
  })

  test('counts and names what the files can lose', () => {
    expect(importReport(result)).toMatchObject({
      counts: { records: 1, leftovers: 1, removable: 2 },
      removable: [
        { file: 'a.yml', where: 'http.routers.fine' },
        { file: 'a.yml', where: 'http.services.s' },
      ],
    })
  })
})
