/** An act that the palette offers is begun on its page, and the word leaves the address. */
import { useEffect } from 'preact/hooks'
import { queryOf, setQuery } from '../../address.ts'

/** @param begin opens its dialog; a reader is led to the page and no further */
export function usePageAct(name: string, begin: () => void): void {
  const isAsked = queryOf('do') === name
  useEffect(() => {
    if (!isAsked) return
    setQuery({ do: null })
    begin()
  }, [isAsked])
}
