/** The last tab of a phone: every page that has no tab of its own. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { path } from '../address.ts'
import { Icon } from '../parts/icons.tsx'
import { Popover } from '../parts/popover.tsx'
import { KEPT_TRUE, LOOKED_AT, type PageLink } from './places.ts'

export function More() {
  const anchor = useSignal<HTMLElement | null>(null)
  const close = () => {
    anchor.value = null
  }
  const where = path.value
  useEffect(close, [where])
  const isHere = [...KEPT_TRUE, ...LOOKED_AT].some(({ to }) => where.startsWith(to))
  return (
    <>
      <button
        type="button"
        aria-label="More pages"
        aria-haspopup="dialog"
        aria-expanded={anchor.value !== null}
        aria-current={isHere ? 'page' : undefined}
        onClick={({ currentTarget }) => {
          anchor.value = currentTarget
        }}
      >
        <Icon name="more" size={18} />
        More
      </button>
      {anchor.value !== null && (
        <Popover label="More pages" anchor={anchor.value} onClose={close}>
          <nav aria-label="More pages">
            <Links title="Kept true" of={KEPT_TRUE} />
            <Links title="Looked at" of={LOOKED_AT} />
          </nav>
        </Popover>
      )}
    </>
  )
}

const Links = ({ title, of }: { readonly title: string; readonly of: readonly PageLink[] }) => (
  <>
    <h2 class="xs q">{title}</h2>
    <ul class="menu flat">
      {of.map(({ to, name, icon }) => (
        <li key={to}>
          <a href={to} aria-current={path.value.startsWith(to) ? 'page' : undefined}>
            <Icon name={icon} />
            {name}
          </a>
        </li>
      ))}
    </ul>
  </>
)
