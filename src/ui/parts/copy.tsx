/** Copies a text, also on a plain-http address of the local network, where there is no clipboard to call. */
import { useSignal } from '@preact/signals'
import { Icon } from './icons.tsx'

export async function copyText(text: string): Promise<boolean> {
  try {
    if (window.isSecureContext) {
      await navigator.clipboard.writeText(text)
      return true
    }
  } catch {
    // Refused: the old way may still do.
  }
  const area = document.createElement('textarea')
  area.value = text
  area.className = 'sr'
  document.body.append(area)
  area.select()
  const done = document.execCommand('copy')
  area.remove()
  return done
}

export function Copy({ text, what }: { readonly text: string; readonly what: string }) {
  const done = useSignal(false)
  const copy = async () => {
    done.value = await copyText(text)
    setTimeout(() => {
      done.value = false
    }, 1500)
  }
  return (
    <>
      <button type="button" class="copy" aria-label={`Copy ${what}`} onClick={() => void copy()}>
        <Icon name="copy" size={15} />
      </button>
      <span role="status" class={done.value ? 'xs q' : 'sr'}>
        {done.value ? 'copied' : ''}
      </span>
    </>
  )
}
