import { useUrlState } from "./url-state.ts"

interface TabsProps {
  /** Accessible name. */
  label: string
  tabs: readonly { name: string; title: string }[]
  /** Name of the open tab. */
  open: string
}

/** Tabs of a view. The URL stores the open one as `tab`. */
export function Tabs({ label, tabs, open }: TabsProps) {
  const { path } = useUrlState()
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ name, title }) => (
        <a key={name} href={`${path}?tab=${name}`} aria-current={name === open ? "page" : undefined}>
          {title}
        </a>
      ))}
    </nav>
  )
}
