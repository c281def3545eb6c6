import { useAddress } from "./url-state.ts"

interface TabsProps {
  /** What the tabs are parts of. */
  label: string
  tabs: readonly { name: string; title: string }[]
  /** The one that is open. */
  open: string
}

/** The parts of a view, of which the address names the open one by `tab`. */
export function Tabs({ label, tabs, open }: TabsProps) {
  const { path } = useAddress()
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
