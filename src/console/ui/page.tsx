import type { ComponentChildren } from "preact"
import { useEffect, useRef } from "preact/hooks"
import { useMe } from "../api/me.tsx"
import { store } from "../api/store.ts"

/** Whether a view was come to by a link of the console: then its heading takes the focus. */
export const moved = store(false)

interface PageProps {
  title: string
  /** Links and buttons for the whole page. */
  actions?: ComponentChildren
  /** Where it belongs: a link back. */
  within?: { href: string; label: string }
  children: ComponentChildren
}

/** A view: its title in the heading and the window. */
export function Page({ title, actions, within, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const { academy } = useMe()
  useEffect(() => {
    document.title = `${title} · ${academy}`
  }, [title, academy])
  useEffect(() => {
    if (moved.get()) heading.current?.focus()
  }, [])
  return (
    <>
      <header class="page-head">
        <div>
          {within && (
            <a class="within" href={within.href}>
              {within.label}
            </a>
          )}
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
        </div>
        {actions && <div class="actions">{actions}</div>}
      </header>
      {children}
    </>
  )
}
