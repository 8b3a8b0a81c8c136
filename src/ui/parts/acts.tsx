/** Acts as buttons: one that only looks is done at once, every other one is planned before it is applied. */
import { signal, useSignal } from '@preact/signals'
import { changeOf, look } from '../api/acts.ts'
import type { Fault } from '../api/fault.ts'
import type { Change } from '../api/plans.ts'
import { whyNot } from '../api/session.ts'
import { useResource } from '../api/cache.ts'
import type { Act, Modes } from '../api/types.ts'
import { resumeText, scopeOfPath } from '../model/text/modes.ts'
import { componentOf } from '../model/text/writes-more.ts'
import { visible } from '../model/visible.ts'
import { componentWords } from '../model/words.ts'
import { IgnoreDialog, ModeDialog } from './change/asked.ts'
import { ChangeBox } from './change/change.tsx'
import type { IgnoreProps } from './change/ignore-dialog.tsx'
import { Dialog } from './dialog.tsx'
import { FaultLine } from './panel.tsx'

interface Props {
  readonly acts: readonly Act[]
  readonly most?: number
  readonly first?: boolean
  /** What the button stands beside, which its dialog names. */
  readonly about?: string | undefined
}

export function Acts({ acts, most = 3, first = false, about }: Props) {
  return (
    <>
      {acts.slice(0, most).map((act, at) => (
        <ActButton
          key={`${act.id} ${act.path}`}
          act={act}
          about={about}
          first={first && at === 0 && act.confirm !== 'none'}
        />
      ))}
    </>
  )
}

interface Started {
  readonly label: string
  readonly change: Change
  readonly danger?: boolean
  readonly saves?: boolean
  readonly about?: string | undefined
  readonly onDone?: () => void
}

/** What was asked for is shown over the page, whatever becomes of the card that its button stood on. */
const planned = signal<Started | null>(null)

export const startChange = (started: Started): void => {
  planned.value = started
}

/** The scope whose automatic repair is about to be resumed. */
const resuming = signal<string | null>(null)

export const startResume = (scope: string): void => {
  resuming.value = scope
}

/** The difference that is about to be let stay. */
const ignoring = signal<Omit<IgnoreProps, 'onClose'> | null>(null)

export function ActHost() {
  const ignored = ignoring.value
  const own = planned.value
  const scope = resuming.value
  if (scope !== null)
    return (
      <ModeDialog
        mode="repair"
        scope={scope}
        onClose={() => {
          resuming.value = null
        }}
      />
    )
  if (ignored !== null)
    return (
      <IgnoreDialog
        key={ignored.act.path}
        {...ignored}
        onClose={() => {
          ignoring.value = null
        }}
      />
    )
  if (own === null) return null
  return (
    <ChangeDialog
      key={JSON.stringify(own.change)}
      label={own.label}
      change={own.change}
      danger={own.danger ?? false}
      saves={own.saves ?? false}
      about={own.about}
      onClose={() => {
        planned.value = null
      }}
      {...(own.onDone && { onDone: own.onDone })}
    />
  )
}

interface ButtonProps {
  readonly act: Act
  readonly first?: boolean
  readonly about?: string | undefined
}

/** A look is quiet; what is not possible now says why not. */
export function ActButton({ act, first = false, about }: ButtonProps) {
  const busy = useSignal(false)
  const fault = useSignal<Fault | null>(null)
  const change = changeOf(act)
  // A plan may be made by whoever looks, and so may a look.
  const reads = act.method === 'GET' || act.confirm === 'plan'
  const refused = act.why_not ?? (reads ? null : whyNot.value)
  const scope = act.id === 'resume' ? scopeOfPath(act.path) : null
  const press = async () => {
    if (act.confirm === 'asks') {
      ignoring.value = { act, about }
      return
    }
    if (scope !== null) {
      startResume(scope)
      return
    }
    if (change !== null) {
      startChange({ label: act.label, change, about: aboutText(act, about), saves: SAVES.has(act.id) })
      return
    }
    busy.value = true
    fault.value = await look(act)
    busy.value = false
  }
  return (
    <>
      <button
        type="button"
        class={first ? 'btn first' : 'btn'}
        disabled={refused !== null || busy.value}
        title={refused === null ? undefined : visible(refused)}
        onClick={() => void press()}
      >
        {scope === null ? visible(act.label) : <ResumeLabel scope={scope} />}
        {change !== null && !act.label.endsWith('…') && '…'}
      </button>
      {refused !== null && <span class="sr">{visible(refused)}</span>}
      <FaultLine fault={fault.value} />
    </>
  )
}

/** What is resumed depends on what stood there before. */
function ResumeLabel({ scope }: { readonly scope: string }) {
  const { settings = [] } = useResource<Modes>('/api/modes').value ?? {}
  return <>{visible(resumeText(settings, scope))}</>
}

/** They write a record and deploy nothing of it, so there is something to apply where the plan of a deploy is empty. */
const SAVES: ReadonlySet<Act['id']> = new Set(['discard', 'save_theirs'])

/** A part is put back whole: the thing that it was asked at may be one of several. */
function aboutText(act: Act, about: string | undefined): string | undefined {
  if (about === undefined) return undefined
  const component = componentOf(act)
  if (component === null) return about
  const { title, detail } = componentWords(component)
  return `${about}, with all that differs in ${[title, detail].filter(Boolean).join(' ')}`
}

interface DialogProps {
  readonly label: string
  readonly change: Parameters<typeof ChangeBox>[0]['change']
  readonly danger?: boolean
  readonly saves?: boolean
  readonly about?: string | undefined
  readonly onClose: () => void
  readonly onDone?: (body: unknown) => void
  readonly without?: (ids: readonly number[]) => void
}

/** A plan over the page, for an act that has no place of its own on it. */
export function ChangeDialog(props: DialogProps) {
  const { label, change, danger = false, saves = false, about, onClose, onDone, without } = props
  return (
    <Dialog label={visible(label)} onClose={onClose} kind="plan-dialog">
      <ChangeBox
        title={visible(label)}
        change={change}
        act={visible(label)}
        danger={danger}
        saves={saves}
        head={
          <>
            {about !== undefined && <span class="s q2 mla">{visible(about)}</span>}
            <button
              type="button"
              class={about === undefined ? 'btn quiet mla' : 'btn quiet'}
              aria-label="Close"
              onClick={onClose}
            >
              ✕
            </button>
          </>
        }
        {...(onDone && { onDone })}
        {...(without && { without })}
      />
    </Dialog>
  )
}
