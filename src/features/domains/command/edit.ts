/**
 * `plumbline edit`: a record in the person's editor. Faults come back into the text, and so does what somebody else saved
 * meanwhile; what was written is never lost.
 */
import { type Api, type ApiAnswer, goodBody } from '../../../cli/api.ts'
import { EXIT } from '../../../cli/exit-codes.ts'
import { tellProse, tellTable } from '../../../cli/text/table.ts'
import { tellWarnings } from '../../../cli/text/tell-warnings.ts'
import { tellAs, type Terminal } from '../../../cli/text/terminal.ts'
import type { Edited, Verb, VerbContext } from '../../../cli/verb.ts'
import { withApi } from '../../../cli/with-api.ts'
import type { SuccessAnswer } from '../../../core/answers.ts'
import { Failure } from '../../../kernel/failure.ts'
import { visible } from '../../../kernel/text/visible.ts'
import { fieldsOf } from '../../../model/domain/record.ts'
import type { Documents } from '../../../ports/documents.ts'
import { changesIn, editText, type Fields, readEdit, type Remarks, theirs, withRemarks } from './edit-text.ts'
import { shownValue } from '../../../cli/text/shown-value.ts'
import { type ReadRecord, recordNamed, recordWith } from './record.ts'

export const edit: Verb = {
  name: 'edit',
  help: 'Edits a domain in your editor.',
  notes: [
    'The editor is $VISUAL, else $EDITOR. What it leaves is saved, over nobody else’s edit; faults are shown in the text. Saving is not deploying.',
  ],
  forms: [
    {
      words: 'NAME',
      help: 'Opens all fields of a domain with what each is for, and saves what you leave.',
      examples: [['edit app.example.com', 'Leave the text as it is to change nothing.']],
      run: edited,
    },
  ],
}

async function edited(context: VerbContext): Promise<number> {
  const documents = await context.surroundings.documents()
  // As it came: the text is read again.
  return withApi(
    context,
    async (api) => {
      const read = await recordNamed(api, context.words[0]!)
      return round(context, api, { documents, read, fields: fieldsOf(read.record), remarks: new Map() })
    },
    { raw: true },
  )
}

interface Round {
  readonly documents: Documents
  /** As it is saved, and as it was read. */
  readonly read: ReadRecord
  /** As the person has them. */
  readonly fields: Fields
  readonly remarks: Remarks
  /** What they wrote and nobody took: it is shown again as it is. */
  readonly text?: string
  /** Where it could not be read, in what they wrote. */
  readonly line?: number | null
}

const refusedText = ({ text }: Edited, remarks: Remarks, line: number | null = null) => ({
  text: withRemarks(text, remarks, line),
  line,
})

async function round(context: VerbContext, api: Api, now: Round): Promise<number> {
  const { documents, fields, remarks } = now
  const { record } = now.read
  const shown = now.text ?? editText(documents, fields, remarks)
  const edited = await context.surroundings.edit(shown, `${record.domain.replace('*', '_')}.yml`)
  const parsed = readEdit(documents, edited.text)
  if (!parsed.ok) {
    const { remarks, line } = parsed
    return again(context, api, edited, { ...now, remarks, ...refusedText(edited, remarks, line) })
  }
  const change = changesIn(parsed.fields, fieldsOf(record))
  if (Object.keys(change).length === 0) {
    await edited.done()
    context.terminal.note('Nothing was changed.')
    return EXIT.ok
  }
  return save(context, api, { edited, change, now: { ...now, fields: parsed.fields } })
}

interface Save {
  readonly edited: Edited
  /** What is saved of what the person has by now. */
  readonly change: Fields
  readonly now: Round
}

async function save(context: VerbContext, api: Api, { edited, change, now }: Save): Promise<number> {
  const { record } = now.read
  const answer = await orKept(edited, () => put(api, now.read, change))
  if (answer.status === 412) return conflict(context, api, edited, now)
  const refused = faultsIn(answer)
  if (refused !== null) {
    const fields = { ...fieldsOf(record), ...now.fields }
    return again(context, api, edited, { ...now, fields, remarks: refused, ...refusedText(edited, refused) })
  }
  const saved = await orKept(edited, () => goodBody<SuccessAnswer>(answer))
  await edited.done()
  const { terminal } = context
  tellAs(terminal, saved, ({ message }) => tellProse(terminal, visible(message)))
  if (!terminal.json) tellTable(terminal, rowsOf(change, record), { indent: '  ' })
  tellWarnings(saved.warnings.map(visible), terminal)
  return EXIT.ok
}

const put = (api: Api, { record, tag }: ReadRecord, body: Fields): Promise<ApiAnswer> =>
  api.call({ method: 'PUT', path: `/api/domains/${record.id}`, body, headers: { 'if-match': tag } })

const rowsOf = (change: Fields, before: Fields) =>
  Object.entries(change).map(([name, value]) => [
    '~',
    name,
    visible(`${shownValue(before[name as keyof Fields])} -> ${shownValue(value)}`),
  ])

/** Whatever else goes wrong, what was written is kept and said where. */
async function orKept<T>(edited: Edited, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    throw new Failure(error.code, `${error.message}${keptAt(edited)}`, { ...error.details, cause: error })
  }
}

const keptAt = ({ path }: Edited): string => ` What you wrote is kept in ${path}`

/** The faults of single fields; null where the answer is something else. */
function faultsIn({ status, body }: ApiAnswer): Remarks | null {
  if (status !== 422) return null
  const { errors = [] } = (body ?? {}) as { errors?: { loc: readonly (string | number)[]; msg: string }[] }
  if (errors.length === 0) return null
  const remarks = new Map<string, string[]>()
  for (const { loc, msg } of errors) {
    const [where, field, ...rest] = loc
    const name = where === 'body' && field !== undefined ? String(field) : ''
    remarks.set(name, [
      ...(remarks.get(name) ?? []),
      `${[name, ...rest].filter((part) => part !== '').join('.')} ${msg}`,
    ])
  }
  return remarks
}

/** Somebody else was first: both versions are shown, and what was written is kept. */
async function conflict(context: VerbContext, api: Api, edited: Edited, now: Round): Promise<number> {
  const before = fieldsOf(now.read.record)
  const read = await recordWith(api, now.read.record.id)
  const after = fieldsOf(read.record)
  const remarks = theirs(before, after)
  context.terminal.note('Somebody else has saved this domain meanwhile.')
  const mine = changesIn(now.fields, before)
  const names = new Set([...Object.keys(mine), ...[...remarks.keys()].filter((name) => name !== '')])
  const rows = [...names].map((name) => {
    const field = name as keyof Fields
    return [
      name,
      ...[before, after, { ...before, ...now.fields }].map((one) => visible(shownValue(one[field]))),
    ]
  })
  tellTable(asNotes(context.terminal), rows, { head: ['FIELD', 'BEFORE', 'THEIRS', 'YOURS'], indent: '  ' })
  // Fields that only they have changed are theirs; the rest is as the person wrote it.
  const { text: _text, line: _line, ...rest } = now
  return again(context, api, edited, { ...rest, read, fields: { ...after, ...mine }, remarks })
}

const asNotes = ({ note, width }: Terminal) => ({ out: note, ...(width !== undefined && { width }) })

/** Once more in the editor where the person wants that; else what was written stays in its file. */
async function again(context: VerbContext, api: Api, edited: Edited, next: Round): Promise<number> {
  const { terminal } = context
  const where = typeof next.line === 'number' ? `line ${next.line} of what you wrote: ` : ''
  if (!next.remarks.has('') || next.text !== undefined)
    for (const line of [...next.remarks.values()].flat()) terminal.note(`plumbline: ${where}${visible(line)}`)
  const left = `Nothing was saved.${keptAt(edited)}`
  if (!(await wantsMore(terminal, left))) {
    terminal.note(left)
    return EXIT.failed
  }
  const done = await round(context, api, next)
  await edited.done()
  return done
}

/** After so many answers that are none, the edit stays in its file. */
const MAX_QUESTIONS = 3

async function wantsMore({ ask, note }: Terminal, left: string): Promise<boolean> {
  for (let asked = 0; ask !== undefined && asked < MAX_QUESTIONS; asked++) {
    const answer = (await ask('Nothing was saved. Edit it again? [Y/n] ', left)).trim()
    if (/^(?:y(?:es)?)?$/i.test(answer)) return true
    if (/^no?$/i.test(answer)) return false
    note('Say y for yes, or n for no.')
  }
  return false
}
