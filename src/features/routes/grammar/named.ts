/** A text of the input inside one of our sentences: short, and in the marks that Traefik's own messages use. */
export const named = (text: string): string => `\`${text.length > 80 ? `${text.slice(0, 77)}...` : text}\``
