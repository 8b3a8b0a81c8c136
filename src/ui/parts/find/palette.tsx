/** Find, go, do: one list over everything, and the list of keys. */
import { signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { domainAddress, go } from '../../address.ts'
import { useResource } from '../../api/cache.ts'
import { tryNow } from '../../api/live.ts'
import type { Domain } from '../../api/types.ts'
import { visible } from '../../model/visible.ts'
import { startResume } from '../acts.tsx'
import { Dialog } from '../dialog.tsx'
import { Icon, type IconName } from '../icons.tsx'
import { KeyList } from './key-list.tsx'
import { setTheme } from '../look.ts'
import { type Resumable, useResumable } from './resumable.ts'
import { addressOfHit, HIT_ICONS, useSearched, type Searched } from './searched.ts'

type Shown = 'find' | 'keys' | null
const shown = signal<Shown>(null)

export function openPalette(what: 'find' | 'keys' = 'find'): void {
  shown.value = what
}

const close = (): void => {
  shown.value = null
}

/** A page that can be gone to: its address, and its key after `g`. */
interface PageToGo {
  readonly to: string
  readonly name: string
  readonly icon: IconName
  readonly key: string
}

/** What can be done on a page. */
interface ActOfPage {
  readonly to: string
  readonly text: string
}

interface Places {
  readonly places: readonly PageToGo[]
  readonly acts: readonly ActOfPage[]
}

export function PaletteHost(props: Places) {
  if (shown.value === null) return null
  return shown.value === 'keys' ? <KeyList onClose={close} /> : <Palette {...props} />
}

interface Entry {
  readonly id: string
  readonly text: string
  readonly what: string
  readonly icon: IconName
  readonly key?: string
  readonly run: () => void
}

const ACTS: readonly Entry[] = [
  { id: 'go f', text: 'First steps', what: 'go', icon: 'overview', run: () => go('/start') },
  { id: 'new', text: 'New domain', what: 'do', icon: 'plus', key: 'n', run: () => go('/domains/new') },
  {
    id: 'plan',
    text: 'Plan what is saved',
    what: 'do',
    icon: 'changes',
    key: 'p',
    run: () => go('/changes'),
  },
  {
    id: 'go releases',
    text: 'Releases',
    what: 'go',
    icon: 'changes',
    run: () => go('/changes?part=releases'),
  },
  { id: 'go audit', text: 'Audit trail', what: 'go', icon: 'changes', run: () => go('/changes?part=audit') },
  { id: 'look', text: 'Look now', what: 'do', icon: 'ddns', key: 'r', run: tryNow },
  { id: 'light', text: 'Light theme', what: 'do', icon: 'system', run: () => setTheme('light') },
  { id: 'dark', text: 'Dark theme', what: 'do', icon: 'system', run: () => setTheme('dark') },
  { id: 'auto', text: 'Theme of the system', what: 'do', icon: 'system', run: () => setTheme('system') },
]

const MAX_FOUND = 12
/** So many pages come before what can be done. */
const MAIN = 4
const RECENT = 'plumbline.recent'

function recent(): readonly string[] {
  try {
    return JSON.parse(window.localStorage.getItem(RECENT) ?? '[]') as readonly string[]
  } catch {
    return []
  }
}

function remember(id: string): void {
  try {
    window.localStorage.setItem(
      RECENT,
      JSON.stringify([id, ...recent().filter((one) => one !== id)].slice(0, 6)),
    )
  } catch {
    // Storage is full or forbidden: nothing is recent then.
  }
}

function Palette({ places, acts }: Places) {
  const typed = useSignal('')
  const at = useSignal(0)
  const list = useRef<HTMLUListElement>(null)
  const all = useResource<readonly Domain[]>('/api/domains')
  const domains = all.value ?? []
  const isWaiting = all.value === undefined && all.fault === null
  const pressed = useSignal(false)
  const searched = useSearched(typed.value)
  const resumable = useResumable()
  const own = matching(typed.value, [
    ...places.slice(0, MAIN).map(placeEntry),
    ...ACTS,
    ...resumable.map(resumeEntry),
    ...places.slice(MAIN).map(placeEntry),
    ...acts.map((act) => pageActEntry(act, places)),
    ...domains.map(nameEntry),
    ...domains.flatMap(actEntries),
  ])
  const found = [...own, ...hitEntries(searched, domains)].slice(0, MAX_FOUND)
  const chosen = Math.min(at.value, Math.max(0, found.length - 1))
  useEffect(() => list.current?.children[chosen]?.scrollIntoView({ block: 'nearest' }), [chosen])
  const run = (entry: Entry | undefined) => {
    if (entry === undefined) return
    close()
    remember(entry.id)
    entry.run()
  }
  // What is typed may name a domain, and those are still on their way: the press is kept until they are here.
  const enter = () => {
    if (isWaiting && typed.value.trim() !== '') pressed.value = true
    else run(found[chosen])
  }
  useEffect(() => {
    if (isWaiting || !pressed.peek()) return
    pressed.value = false
    run(found[chosen])
  }, [isWaiting])
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') at.value = Math.min(chosen + 1, found.length - 1)
    else if (event.key === 'ArrowUp') at.value = Math.max(chosen - 1, 0)
    else if (event.key === 'Enter') enter()
    else return
    event.preventDefault()
  }
  return (
    <Dialog label="Find and do" onClose={close} kind="palette">
      <div class="input bare">
        <Icon name="search" />
        <input
          autofocus
          role="combobox"
          aria-label="Find a domain, do a thing"
          aria-expanded="true"
          aria-controls="found"
          aria-activedescendant={found.length > 0 ? `found-${chosen}` : undefined}
          autocomplete="off"
          spellcheck={false}
          value={typed.value}
          onInput={(event) => {
            typed.value = event.currentTarget.value
            at.value = 0
            pressed.value = false
          }}
          onKeyDown={onKey}
        />
        <kbd class="mla">esc</kbd>
      </div>
      <ul ref={list} id="found" role="listbox" aria-label="Found">
        {found.map((entry, index) => (
          <li
            key={entry.id}
            id={`found-${index}`}
            role="option"
            aria-selected={index === chosen}
            class={index === chosen ? 'on' : ''}
            onClick={() => run(entry)}
          >
            <Icon name={entry.icon} size={14} />
            <span>{visible(entry.text)}</span>
            <span class="q s mla">{entry.what}</span>
            {entry.key !== undefined && <kbd>{entry.key}</kbd>}
          </li>
        ))}
      </ul>
      {isWaiting ? (
        <p class="pad q2" role="status">
          {pressed.value ? 'As soon as the domains are here…' : 'Domains are being fetched.'}
        </p>
      ) : (
        found.length === 0 && (
          <p class="pad q2" role="status">
            {searched.isWaiting
              ? 'It is being looked for.'
              : searched.isFailed
                ? 'Not found out: the search did not answer.'
                : 'Nothing is called so.'}
          </p>
        )
      )}
    </Dialog>
  )
}

const placeEntry = ({ to, name, icon, key }: PageToGo): Entry => ({
  id: `go ${to}`,
  text: name,
  what: 'go',
  icon,
  key: `g ${key}`,
  run: () => go(to),
})

const nameEntry = ({ domain }: Domain): Entry => ({
  id: `domain ${domain}`,
  text: domain,
  what: 'domain',
  icon: 'domains',
  run: () => go(domainAddress(domain)),
})

const pageActEntry = ({ to, text }: ActOfPage, places: readonly PageToGo[]): Entry => ({
  id: `do ${to}`,
  text,
  what: 'do',
  icon: places.find((place) => place.to === to.replace(/\?.*/, ''))?.icon ?? 'plus',
  run: () => go(to),
})

const resumeEntry = ({ scope, text }: Resumable): Entry => ({
  id: `resume ${scope}`,
  text,
  what: 'do',
  icon: 'drift',
  run: () => startResume(scope),
})

/** Domains that are loaded stand there already, by the filter of the palette. */
function hitEntries({ hits }: Searched, domains: readonly Domain[]): readonly Entry[] {
  return hits.flatMap((hit) => {
    const { kind, id, title, detail } = hit
    if (kind === 'domain' && domains.some(({ domain }) => domain === title)) return []
    return {
      id: `${kind} ${id}`,
      text: `${title} – ${detail}`,
      what: kind,
      icon: HIT_ICONS[kind],
      run: () => go(addressOfHit(hit)),
    }
  })
}

/** What can be done with a domain comes after all names: for whoever types "edit photos". */
const actEntries = ({ domain }: Domain): readonly Entry[] => {
  const at = domainAddress(domain)
  return [
    {
      id: `edit ${domain}`,
      text: `Edit ${domain}`,
      what: 'do',
      icon: 'domains',
      run: () => go(`${at}?edit=1`),
    },
    {
      id: `open ${domain}`,
      text: `Who can open ${domain}`,
      what: 'ask',
      icon: 'access',
      run: () => go(`${at}?tab=access`),
    },
    {
      id: `copy ${domain}`,
      text: `Duplicate ${domain}`,
      what: 'do',
      icon: 'plus',
      run: () => go(`/domains/new?copy=${encodeURIComponent(domain)}`),
    },
  ]
}

function matching(typed: string, entries: readonly Entry[]): readonly Entry[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) {
    const order = recent()
    const rank = ({ id }: Entry) => (order.includes(id) ? order.indexOf(id) : order.length)
    return entries.toSorted((a, b) => rank(a) - rank(b)).slice(0, MAX_FOUND)
  }
  return entries
    .filter(({ text }) => words.every((word) => text.toLowerCase().includes(word)))
    .slice(0, MAX_FOUND)
}
