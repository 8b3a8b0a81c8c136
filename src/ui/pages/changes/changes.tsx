/** Changes: what is saved and waits, what was released, and who did what. */
import { useLayoutEffect } from 'preact/hooks'
import { queryOf, setQuery } from '../../address.ts'
import { addKeys } from '../../parts/keys.ts'
import { Audit } from './audit.tsx'
import { Releases } from './releases.tsx'
import { Saved } from './saved.tsx'

const PARTS = [
  ['saved', 'Saved'],
  ['releases', 'Releases'],
  ['audit', 'Audit'],
] as const

export function Changes() {
  const part = PARTS.find(([one]) => one === queryOf('part'))?.[0] ?? 'saved'
  useLayoutEffect(() => {
    const step = (by: number) => {
      const at = PARTS.findIndex(([one]) => one === part)
      setQuery({ part: PARTS[(at + by + PARTS.length) % PARTS.length]![0] })
    }
    return addKeys([
      { keys: '[', label: 'Tab before', run: () => step(-1) },
      { keys: ']', label: 'Next tab', run: () => step(1) },
    ])
  }, [part])
  return (
    <>
      <h1>Changes</h1>
      <nav class="tabrow gap" aria-label="Parts">
        {PARTS.map(([one, title]) => (
          <a key={one} href={`/changes?part=${one}`} aria-current={one === part ? 'page' : undefined}>
            {title}
          </a>
        ))}
      </nav>
      {part === 'saved' && <Saved />}
      {part === 'releases' && <Releases />}
      {part === 'audit' && <Audit />}
    </>
  )
}
