/** What is found by the API while something is typed: what the palette has not loaded, and domains until they are here. */
import { domainAddress } from '../../address.ts'
import { useResource } from '../../api/cache.ts'
import type { SearchResult } from '../../api/types.ts'
import type { IconName } from '../icons.tsx'
import { useSettled } from '../settled.ts'

type Hit = SearchResult['hits'][number]

export interface Searched {
  readonly hits: readonly Hit[]
  /** Not answered yet, so that nothing found says nothing. */
  readonly isWaiting: boolean
  readonly isFailed: boolean
}

/** A letter fits nearly everything. */
const MIN_LETTERS = 2

const NOTHING: Searched = { hits: [], isWaiting: false, isFailed: false }

export function useSearched(typed: string): Searched {
  const word = typed.trim()
  const settled = useSettled(word)
  const isAsked = settled.length >= MIN_LETTERS && settled === word
  const found = useResource<SearchResult>(isAsked ? `/api/search?q=${encodeURIComponent(settled)}` : '')
  if (word.length < MIN_LETTERS) return NOTHING
  if (!isAsked) return { ...NOTHING, isWaiting: true }
  return {
    hits: found.value?.hits ?? [],
    isWaiting: found.value === undefined && found.fault === null,
    isFailed: found.value === undefined && found.fault !== null,
  }
}

/** The page where a hit is looked at. */
export function addressOfHit({ kind, id, title }: Pick<Hit, 'kind' | 'id' | 'title'>): string {
  switch (kind) {
    case 'domain':
      return domainAddress(title)
    case 'person':
      return `/people?q=${encodeURIComponent(id)}`
    case 'record':
      return `/dns?q=${encodeURIComponent(id.split(' ').at(-1) ?? id)}`
    case 'edge':
      return `/edges?q=${encodeURIComponent(title)}`
    case 'release':
      return '/changes?part=releases'
    case 'request':
      return `/changes?part=audit&request=${encodeURIComponent(id)}`
    case 'setting':
      return `/system?setting=${encodeURIComponent(id)}`
  }
}

export const HIT_ICONS: Readonly<Record<Hit['kind'], IconName>> = {
  domain: 'domains',
  person: 'people',
  record: 'dns',
  edge: 'edges',
  release: 'changes',
  request: 'changes',
  setting: 'system',
}
