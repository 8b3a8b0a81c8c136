/** Rows and sentences on terminals of every width: no word is cut, and a sign stays with what it is about. */
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { tellBeside, tellProse, tellTable, wrappedProse } from '../../src/cli/text/table.ts'

function shown(width: number | undefined, tell: (terminal: Terminal) => void): readonly string[] {
  const lines: string[] = []
  tell({ out: (line) => void lines.push(line), ...(width !== undefined && { width }) })
  return lines
}
type Terminal = Parameters<typeof tellTable>[0]

const ROW = ['+', 'notes.home.example', 'dns: create (release)  203.0.113.7 ttl 300']

it('a cell makes no line and no column of its own', () => {
  const forged = 'osd.3\r\nok   nothing fires\n\tand nothing is wrong'
  for (const width of [undefined, 200, 30])
    expect(
      shown(width, (to) => tellTable(to, [['CephOsdDown', forged, 'since\nlong']])).filter((line) =>
        /^(?:ok|\tand|long)/.test(line),
      ),
    ).toEqual([])
  expect(shown(200, (to) => tellTable(to, [['CephOsdDown', forged, 'since\nlong']]))).toEqual([
    'CephOsdDown  osd.3 ok   nothing fires and nothing is wrong  since long',
  ])
})

describe('a row that is wider than the terminal', () => {
  it('wraps its last column where enough is left of it', () => {
    expect(shown(50, (to) => tellTable(to, [ROW]))).toEqual([
      '+  notes.home.example  dns: create (release)',
      '                       203.0.113.7 ttl 300',
    ])
  })

  it('is a block else, under its sign and its name', () => {
    expect(shown(30, (to) => tellTable(to, [ROW]))).toEqual([
      '+ notes.home.example',
      '  dns: create (release)',
      '    203.0.113.7 ttl 300',
    ])
    const path = '/var/lib/plumbline/traefik/routes.yml'
    expect(shown(20, (to) => tellTable(to, [['~', path, 'routes: update']]))[0]).toBe(`~ ${path}`)
  })

  it('has as many values to a line of a block as fit', () => {
    const head = ['TIME', 'ACTOR', 'ACTION', 'DOMAIN', 'REQUEST']
    const cells = ['2030-01-31 12:00:00Z', 'key', 'deploy', 'app.example.com', 'c3dc8deb-6c53-4782']
    expect(shown(44, (to) => tellTable(to, [cells], { head }))).toEqual([
      '2030-01-31 12:00:00Z',
      '  actor: key  action: deploy',
      '  domain: app.example.com',
      '  request: c3dc8deb-6c53-4782',
    ])
  })

  it('has a sign before its name, and a short name above all that is said of it', () => {
    const head = ['COMPONENT', 'MODE', 'WHY']
    const rows = ['dns', 'routes'].map((name) => [name, 'observe', 'a hand is at work on the files'])
    const block = ['  mode: observe', '  why: a hand is at work on', '    the files']
    expect(shown(28, (to) => tellTable(to, rows, { head }))).toEqual(['dns', ...block, 'routes', ...block])
    const states = ['ok', 'drift'].map((state) => [state, 'dns:example.com', 'It is what was released.'])
    expect(shown(30, (to) => tellTable(to, states, { signs: true }))).toEqual([
      'ok dns:example.com',
      '  It is what was released.',
      'drift dns:example.com',
      '  It is what was released.',
    ])
  })

  it('keeps within the width where its values go on further in', () => {
    const plan = [
      '~',
      'A app.example.com',
      'dns: update (repair)  198.51.100.1 ttl 300 -> 203.0.113.7 ttl 300',
    ]
    expect(shown(40, (to) => tellTable(to, [plan], { indent: '  ' }))).toEqual([
      '  ~ A app.example.com',
      '    dns: update (repair)  198.51.100.1',
      '      ttl 300 -> 203.0.113.7 ttl 300',
    ])
    for (let width = 30; width <= 60; width++)
      for (const line of shown(width, (to) => tellTable(to, [plan], { indent: '  ' })))
        expect(line.length, `${width}: ${line}`).toBeLessThanOrEqual(width)
  })

  it('is a block on a narrow terminal where a name of the last column would be cut', () => {
    const rows = [['10.0.0.5:8080', 'xn--bcher-kva.example.com']]
    expect(shown(39, (to) => tellTable(to, rows))).toEqual(['10.0.0.5:8080', '  xn--bcher-kva.example.com'])
    expect(shown(40, (to) => tellTable(to, rows))).toEqual(['10.0.0.5:8080  xn--bcher-kva.example.com'])
  })

  it('has what is below it further in, on each of its lines', () => {
    const row = {
      cells: ['drift', 'routes'],
      below: ['   edited  line 82  added by hand, belongs to no record'],
    }
    expect(shown(30, (to) => tellTable(to, [row]))).toEqual([
      'drift  routes',
      '     edited  line 82  added by',
      '       hand, belongs to no',
      '       record',
    ])
  })

  it('has a name that is longer than the others on a line of its own, and the others stay in columns', () => {
    const long = 'a-name-of-forty-nine-characters-in-all.example.com'
    const others = ['one', 'two', 'three'].map((name) => [`${name}.example.com`, 'active', 'as it should be'])
    expect(shown(60, (to) => tellTable(to, [...others, [long, 'active', 'as it should be']]))).toEqual([
      'one.example.com    active  as it should be',
      'two.example.com    active  as it should be',
      'three.example.com  active  as it should be',
      long,
      '                   active  as it should be',
    ])
  })

  it('is never touched in a pipe', () => {
    expect(shown(undefined, (to) => tellTable(to, [ROW]))).toEqual([ROW.join('  ')])
  })
})

describe('a sentence', () => {
  it('goes on below itself where a sign stands before it', () => {
    const tell = (to: Terminal) => tellBeside(to, 'warn ', 'the data directory can be read by others')
    expect(shown(30, tell)).toEqual(['warn the data directory can be', '     read by others'])
    expect(shown(undefined, tell)).toEqual(['warn the data directory can be read by others'])
  })

  const SENTENCE = '  \u001b[31mmemo.home.example is inactive; its route is removed.\u001b[39m'

  it.each([10, 20, 40, 79])('is cut at spaces alone at %i columns, and keeps its colour', (width) => {
    const lines = shown(width, (to) => tellProse(to, SENTENCE.trimStart()))
    const words = lines.map(stripVTControlCharacters)
    expect(words.join(' ')).toBe(stripVTControlCharacters(SENTENCE).trimStart())
    expect(words.filter((line) => line.length > width && line.includes(' '))).toEqual([])
    for (const line of lines) expect(line).toBe(`\u001b[31m${stripVTControlCharacters(line)}\u001b[39m`)
  })

  it('keeps its indent and its lines', () => {
    expect(wrappedProse('\none two\n  three four', 9)).toEqual(['', 'one two', '  three', '  four'])
    expect(wrappedProse('one two', Infinity)).toEqual(['one two'])
  })
})
