/**
 * Which hosts a pattern of `HostRegexp` takes (RE2, not anchored), for the small grammar in which patterns of hosts are
 * written: literals, `.`, classes, groups with alternatives, `?`, `*` and `+` after one character. Pure.
 *
 * No pattern of a stranger's is run by a backtracking engine: positions are followed side by side, in time linear in the
 * host's length. What is not of the grammar is not judged, and neither is what would take more work than is left.
 */
import { has, type Work, workAtOnce } from './work.ts'

/** How much of a host's traffic something takes; `reach.ts` says what each means. */
export type Reach = 'all' | 'some' | 'none' | 'unjudged'

interface Atom {
  /** Characters of hosts that it takes. */
  readonly takes: ReadonlySet<string>
  readonly may_lack: boolean
  readonly repeats: boolean
}
type Part = Atom | 'start' | 'end'
type Sequence = readonly Part[]

const LABEL: readonly string[] = Array.from('abcdefghijklmnopqrstuvwxyz0123456789-')
const ALPHABET: readonly string[] = [...LABEL, '_', '.']
const ANY: ReadonlySet<string> = new Set(ALPHABET)
const MAX_PATTERN = 1000
const MAX_SEQUENCES = 64
/** Of all its sequences together. */
const MAX_PARTS = 2000
const MAX_DEPTH = 8

/** Says of a host, as records name it, how much of it the pattern takes; of a star for all its names at once. */
export function hostPattern(source: string): (host: string, work?: Work) => Reach {
  let known: readonly Ending[] | null | undefined
  return (host, work = workAtOnce()) => {
    if (known === undefined) {
      if (!has(work, COMPILING * source.length)) return 'unjudged'
      known = endingsOf(source)
    }
    return known === null ? 'unjudged' : reachIn(known, host, work)
  }
}

/** What a character of a pattern takes to be read. */
const COMPILING = 2

interface Ending {
  readonly parts: Sequence
  /** The fixed text that every host of it ends with. */
  readonly ending: string
}

const endingsOf = (source: string): readonly Ending[] | null =>
  sequencesOf(source)?.map((parts) => ({ parts, ending: endingOf(parts) })) ?? null

function reachIn(all: readonly Ending[], host: string, work: Work): Reach {
  // Most hosts are of another zone, and nothing of them has to be followed.
  const fixed = host.startsWith('*.') ? host.slice(1) : host
  const near = all.filter(
    ({ ending }) => fixed.endsWith(ending) || (fixed !== host && ending.endsWith(fixed)),
  )
  if (near.length === 0) return 'none'
  const characters = host.startsWith('*.') ? [ANY_LABEL, ...host.slice(1).split('')] : host.split('')
  if (near.some(({ parts }) => follows(parts, characters, { how: 'surely', work }))) return 'all'
  const is_perhaps = near.some(({ parts }) => follows(parts, characters, { how: 'perhaps', work }))
  return is_perhaps || work.fell_short ? 'unjudged' : 'none'
}

function endingOf(parts: Sequence): string {
  if (parts.at(-1) !== 'end') return ''
  let ending = ''
  for (const part of parts.slice(0, -1).toReversed()) {
    if (!isAtom(part) || part.takes.size !== 1 || part.may_lack || part.repeats) break
    ending = [...part.takes][0]! + ending
  }
  return ending
}

/** Stands for one label, whatever it is. */
const ANY_LABEL = '*'

interface Following {
  readonly how: 'surely' | 'perhaps'
  readonly work: Work
}

/**
 * Whether the sequence is somewhere in the host: for every label that the star stands for, or for one of them. Without work
 * left it is not found.
 */
function follows(parts: Sequence, characters: readonly string[], { how, work }: Following): boolean {
  let at = closed(parts, new Set([0]), { is_first: true, is_last: characters.length === 0 })
  if (at.has(parts.length)) return true
  for (const [i, character] of characters.entries()) {
    if (!has(work, at.size)) return false
    const is_last = i === characters.length - 1
    const next = character === ANY_LABEL ? afterLabel(parts, at, how) : afterOne(parts, at, character)
    // It may begin at any place of the host.
    next.add(0)
    at = closed(parts, next, { is_first: false, is_last })
    if (at.has(parts.length)) return true
  }
  return false
}

function afterOne(parts: Sequence, at: ReadonlySet<number>, character: string): Set<number> {
  const next = new Set<number>()
  for (const place of at) {
    const part = parts[place]
    if (!isAtom(part) || !part.takes.has(character)) continue
    next.add(place + 1)
    if (part.repeats) next.add(place)
  }
  return next
}

/** Surely: one part takes all of any label. Perhaps: some label leads there. */
function afterLabel(parts: Sequence, at: ReadonlySet<number>, how: 'surely' | 'perhaps'): Set<number> {
  const next = new Set<number>()
  const passed = new Set<number>()
  for (const from of at)
    for (let place = from; isAtom(parts[place]) && !passed.has(place); place++) {
      passed.add(place)
      const part = parts[place] as Atom
      if (how === 'surely') {
        if (part.repeats && LABEL.every((one) => part.takes.has(one))) next.add(place + 1).add(place)
        break
      }
      if (!LABEL.some((one) => part.takes.has(one))) {
        if (part.may_lack) continue
        break
      }
      next.add(place + 1)
      if (part.repeats) next.add(place)
    }
  return next
}

interface Ends {
  readonly is_first: boolean
  readonly is_last: boolean
}

/** With what can be reached without a character. */
function closed(parts: Sequence, at: Set<number>, { is_first, is_last }: Ends): Set<number> {
  for (const place of at) {
    const part = parts[place]
    if (part === undefined) continue
    const passes = part === 'start' ? is_first : part === 'end' ? is_last : part.may_lack
    if (passes) at.add(place + 1)
  }
  return at
}

const isAtom = (part: Part | undefined): part is Atom => typeof part === 'object'

/** The alternatives of a pattern, one after the other; null for what is not of the grammar. */
function sequencesOf(source: string): readonly Sequence[] | null {
  if (source.length > MAX_PATTERN) return null
  try {
    return new PatternReader(source).whole()
  } catch (error) {
    if (error instanceof BeyondGrammar) return null
    throw error
  }
}

class BeyondGrammar extends Error {}

class PatternReader {
  readonly #source: string
  readonly #folds: boolean
  #at = 0
  #depth = 0

  constructor(source: string) {
    this.#folds = source.startsWith('(?i)')
    this.#source = this.#folds ? source.slice('(?i)'.length) : source
  }

  whole(): readonly Sequence[] {
    const found = this.#alternatives()
    if (this.#at < this.#source.length) throw new BeyondGrammar()
    return found
  }

  #alternatives(): readonly Sequence[] {
    if (++this.#depth > MAX_DEPTH) throw new BeyondGrammar()
    const found = [...this.#sequence()]
    while (this.#take('|')) found.push(...this.#sequence())
    this.#depth--
    return bounded(found)
  }

  #sequence(): readonly Sequence[] {
    let found: Part[][] = [[]]
    while (this.#at < this.#source.length && !'|)'.includes(this.#source[this.#at]!)) {
      const next = this.#item()
      if (next.length === 1) for (const before of found) before.push(...next[0]!)
      else found = joined(found, next)
      bounded(found)
    }
    return found
  }

  #item(): readonly Sequence[] {
    if (this.#take('^')) return [['start']]
    if (this.#take('$')) return [['end']]
    if (this.#take('(')) return this.#group()
    const takes = this.#takes()
    const many = this.#take('*') ? '*' : this.#take('+') ? '+' : ''
    // After a repetition it says that the shortest is tried first, which takes the same hosts.
    const asks = this.#take('?')
    return [[{ takes, may_lack: many === '*' || (many === '' && asks), repeats: many !== '' }]]
  }

  #group(): readonly Sequence[] {
    if (this.#take('?') && !this.#take(':')) throw new BeyondGrammar()
    const inside = this.#alternatives()
    if (!this.#take(')')) throw new BeyondGrammar()
    if (this.#take('?')) return [...inside, []]
    if ('*+{'.includes(this.#source[this.#at] ?? ' ')) throw new BeyondGrammar()
    return inside
  }

  #takes(): ReadonlySet<string> {
    const character = this.#source[this.#at++]!
    if (character === '.') return ANY
    if (character === '[') return this.#class()
    if (character === '\\') return this.#escaped()
    if (!/^[A-Za-z0-9_-]$/.test(character)) throw new BeyondGrammar()
    return this.#only(character)
  }

  #class(): ReadonlySet<string> {
    const excludes = this.#take('^')
    const members = new Set<string>()
    for (let is_first = true; is_first || !this.#take(']'); is_first = false) {
      const character = this.#source[this.#at++]
      if (character === undefined || character === '[' || character === ']') throw new BeyondGrammar()
      if (character === '\\') for (const one of this.#escaped()) members.add(one)
      else for (const one of this.#range(character)) members.add(one)
    }
    return excludes ? new Set(ALPHABET.filter((one) => !members.has(one))) : members
  }

  #range(from: string): ReadonlySet<string> {
    const to = /^-([^\]\\[])/.exec(this.#source.slice(this.#at, this.#at + 2))?.[1]
    if (to === undefined) return this.#only(from)
    this.#at += 2
    if (!/^(?:[a-z]{2}|[A-Z]{2}|[0-9]{2})$/.test(from + to) || from > to) throw new BeyondGrammar()
    const [low, high] = this.#folds ? [from.toLowerCase(), to.toLowerCase()] : [from, to]
    return new Set(ALPHABET.filter((one) => one >= low && one <= high))
  }

  #escaped(): ReadonlySet<string> {
    const character = this.#source[this.#at++]
    if (character === 'd') return new Set('0123456789')
    if (character === 'w') return new Set(ALPHABET.filter((one) => /\w/.test(one)))
    if (character === '.' || character === '-') return new Set(character)
    throw new BeyondGrammar()
  }

  /** Hosts are lower-cased before they are matched: a capital takes nothing. */
  #only(character: string): ReadonlySet<string> {
    const one = this.#folds ? character.toLowerCase() : character
    return new Set(ALPHABET.includes(one) ? [one] : [])
  }

  #take(mark: string): boolean {
    const is_there = this.#source[this.#at] === mark
    if (is_there) this.#at++
    return is_there
  }
}

/** Each of the first before each of the others. */
function joined(found: readonly Sequence[], next: readonly Sequence[]): Part[][] {
  if (found.length * next.length > MAX_SEQUENCES) throw new BeyondGrammar()
  return found.flatMap((before) => next.map((after) => [...before, ...after]))
}

function bounded(found: readonly Sequence[]): readonly Sequence[] {
  const parts = found.reduce((sum, { length }) => sum + length, 0)
  if (found.length > MAX_SEQUENCES || parts > MAX_PARTS) throw new BeyondGrammar()
  return found
}
