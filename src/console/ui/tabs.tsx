import { useUrlState } from "./url-state.ts"

interface TabsProps {
  /** Accessible name. */
  label: string
  tabs: readonly { name: string; title: string }[]
  /** Name of the open tab. */
  open: string
}

/** Scrolls a row of tabs that is wider than the screen to its open tab. */
export function showOpenTab(row: HTMLElement | null) {
  const open = row?.querySelector("[aria-current]")?.getBoundingClientRect()
  if (!row || !open) return
  const all = row.getBoundingClientRect()
  row.scrollBy({ left: open.left + open.width / 2 - all.left - all.width / 2 })
}

/** Tabs of a view. The URL stores the open one as `tab`. */
export function Tabs({ label, tabs, open }: TabsProps) {
  const { path } = useUrlState()
  return (
    <nav class="tabs" aria-label={label} ref={showOpenTab}>
      {tabs.map(({ name, title }) => (
        <a key={name} href={`${path}?tab=${name}`} aria-current={name === open ? "page" : undefined}>
          {title}
        </a>
      ))}
    </nav>
  )
}
