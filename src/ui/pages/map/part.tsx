/** A part of the map: the names below one name, or what runs on one machine; and what can be opened of a node. */
import { domainAddress, queryOf, setQuery } from '../../address.ts'
import { partOf, type MapNode, type MapPart } from '../../model/looked-at/map.ts'
import { visible } from '../../model/visible.ts'

const WHOLE: MapPart = { zone: null, machine: null }

/** Which part is shown, and the way back to the whole. */
export function OnlyPart({ of: { zone, machine } }: { readonly of: MapPart }) {
  if (zone === null && machine === null) return null
  const texts = [
    zone !== null && `at or below ${visible(zone)}`,
    machine !== null && `on ${visible(machine)}`,
  ]
  return (
    <p class="gap">
      Only what is {texts.filter((text) => text !== false).join(' and ')}.{' '}
      <button type="button" class="btn quiet" onClick={() => setQuery({ ...WHOLE })}>
        Show all
      </button>
    </p>
  )
}

interface Props {
  readonly of: MapNode
  /** Its part is about to be shown. */
  readonly onPart?: () => void
}

export function NodeActs({ of: node, onPart }: Props) {
  const part = partOf(node)
  if (node.kind === 'domain' && node.stands_for === 1 && part === null)
    return (
      <a class="btn first" href={domainAddress(node.label)}>
        Open the domain
      </a>
    )
  if (part === null || (part.zone === queryOf('zone') && part.machine === queryOf('machine'))) return null
  return (
    <button
      type="button"
      class="btn first"
      onClick={() => {
        onPart?.()
        setQuery({ ...part, q: null }, { push: true })
      }}
    >
      Show only this part
    </button>
  )
}
