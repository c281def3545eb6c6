import type { ComponentChildren } from "preact"
import { useEffect, useRef } from "preact/hooks"
import { useMe } from "../api/me.tsx"
import { store } from "../api/store.ts"

/** Whether the user navigated within the console: then the heading of the new view takes the focus. */
export const navigated = store(false)

interface PageProps {
  title: string
  actions?: ComponentChildren
  /** Link to the parent page. */
  parent?: { href: string; label: string }
  children: ComponentChildren
}

/** A view with its heading and document title. */
export function Page({ title, actions, parent, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const { academy } = useMe()
  useEffect(() => {
    document.title = `${title} · ${academy}`
  }, [title, academy])
  useEffect(() => {
    if (navigated.get()) heading.current?.focus()
  }, [])
  return (
    <>
      <header class="page-head">
        <div>
          {parent && (
            <a class="within" href={parent.href}>
              {parent.label}
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
