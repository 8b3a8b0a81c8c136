/**
 * Asks about many things, so many at once in all, whoever wants to know. Whoever asks about something that still waits for its
 * turn shares its answer; an answer to a question that was put before says nothing to them. Callers go before the timer.
 */
import { untilAborted } from '../../../kernel/async/until-aborted.ts'

export interface QuestionsParts<Item, Answer> {
  readonly at_once: number
  readonly ask: (item: Item) => Promise<Answer>
  /** Before the first question of a caller is put in an idle moment: who asks meanwhile shares it. */
  readonly batch: () => Promise<void>
}

export interface Round<Answer> {
  /** It goes before those that are not. */
  readonly is_urgent: boolean
  /** Ends the wait; what is under way goes on. */
  readonly signal: AbortSignal
  /** Asked before each question is put: nothing more is to be put for this round. */
  readonly isOver: () => boolean
  /** An answer has come. */
  readonly saw: (answer: Answer) => void
}

interface Question<Item, Answer> {
  readonly name: string
  readonly item: Item
  /** Null where it was not put, since nobody wanted to know any more. */
  readonly answer: PromiseWithResolvers<Answer | null>
  readonly rounds: Set<Pick<Round<Answer>, 'isOver'>>
  is_urgent: boolean
}

export class Questions<Item, Answer> {
  readonly #parts: QuestionsParts<Item, Answer>
  /** By name, what was not put yet. */
  readonly #waiting = new Map<string, Question<Item, Answer>>()
  #urgent: Question<Item, Answer>[] = []
  #others: Question<Item, Answer>[] = []
  #busy = 0
  #waits = false

  constructor(parts: QuestionsParts<Item, Answer>) {
    this.#parts = parts
  }

  /** Answers to questions that are put after this call, by name. What the round ends before has none. */
  async round(
    items: readonly (readonly [string, Item])[],
    round: Round<Answer>,
  ): Promise<ReadonlyMap<string, Answer>> {
    const found = new Map<string, Answer>()
    const questions = items.map(([name, item]) => this.#join(name, item, round))
    const all = Promise.all(
      questions.map(async ({ name, answer }) => {
        const said = await answer.promise
        if (said === null) return
        found.set(name, said)
        round.saw(said)
      }),
    )
    this.#begin()
    try {
      await untilAborted(all, round.signal)
    } catch (error) {
      if (!round.signal.aborted) throw error
      all.catch(() => undefined)
    } finally {
      for (const { rounds } of questions) rounds.delete(round)
    }
    return new Map(found)
  }

  #join(name: string, item: Item, round: Round<Answer>): Question<Item, Answer> {
    const { is_urgent } = round
    const waiting = this.#waiting.get(name)
    const question = waiting ?? {
      name,
      item,
      answer: Promise.withResolvers<Answer | null>(),
      rounds: new Set(),
      is_urgent,
    }
    question.rounds.add(round)
    if (waiting === undefined || (is_urgent && !waiting.is_urgent))
      (is_urgent ? this.#urgent : this.#others).push(question)
    question.is_urgent ||= is_urgent
    this.#waiting.set(name, question)
    return question
  }

  #begin(): void {
    if (this.#waits) return
    if (this.#busy > 0 || this.#urgent.length === 0) return this.#employ()
    this.#waits = true
    void this.#parts.batch().then(() => {
      this.#waits = false
      this.#employ()
    })
  }

  #employ(): void {
    for (let i = this.#busy; i < this.#parts.at_once; i++) void this.#work()
  }

  async #work(): Promise<void> {
    this.#busy++
    for (let next = this.#next(); next !== null; next = this.#next())
      await this.#parts.ask(next.item).then(next.answer.resolve, next.answer.reject)
    this.#busy--
  }

  /** What is left over by everybody who wanted it is dropped. */
  #next(): Question<Item, Answer> | null {
    for (;;) {
      const next = this.#urgent.shift() ?? this.#others.shift()
      if (next === undefined) return null
      // It was put already, out of the other queue.
      if (this.#waiting.get(next.name) !== next) continue
      this.#waiting.delete(next.name)
      if ([...next.rounds].some((round) => !round.isOver())) return next
      next.answer.resolve(null)
    }
  }
}
