import { hasAccess, useMe } from "./api/me.tsx"
import { t } from "./messages/messages.ts"
import { showOpenTab } from "./ui/tabs.tsx"
import { GROUPS, type View } from "./views/view.ts"
import { views } from "./views.ts"

type Me = ReturnType<typeof useMe>
type Entry = View & { nav: NonNullable<View["nav"]> }

const entries = views.filter((view): view is Entry => view.nav !== undefined)

/** Whether the current page is a view, or a page below it. */
const isWithin = (path: string, viewPath: string) =>
  viewPath === "/"
    ? path === "/console" || path === "/console/"
    : path === `/console${viewPath}` || path.startsWith(`/console${viewPath}/`)

const currentIf = (isCurrent: boolean) => (isCurrent ? ("page" as const) : undefined)

/** The entries of a section that the user may open, the section's own first. */
const sectionOf = (me: Me, root: string) =>
  entries.filter(({ path, nav, access }) => (path === root || nav.within === root) && hasAccess(me, access))

/** Learners find their pages in the navigation itself. */
const isExpanded = (me: Me, { nav, path }: Entry) =>
  (nav.within ?? path) === "/learning" && !hasAccess(me, "group_admin")

/** The entries of a group: one for each section, at the first of its pages that the user may open. */
function entriesOf(me: Me, group: string): Entry[] {
  const allowed = entries.filter(({ nav, access }) => nav.group === group && hasAccess(me, access))
  return allowed.filter((entry) => {
    if (isExpanded(me, entry)) return true
    const [first] = sectionOf(me, entry.nav.within ?? entry.path)
    return first === entry
  })
}

function NavigationLink({ entry, path }: { entry: Entry; path: string }) {
  const me = useMe()
  const section = isExpanded(me, entry) ? [entry] : sectionOf(me, entry.nav.within ?? entry.path)
  const { icon: Icon, label } = entry.nav
  const sectionLabel = section.find(({ nav }) => nav.section)?.nav.section
  return (
    <a
      href={`/console${entry.path === "/" ? "" : entry.path}`}
      aria-current={currentIf(section.some((view) => isWithin(path, view.path)))}
    >
      <Icon size={18} aria-hidden />
      {t(section.length > 1 && sectionLabel ? sectionLabel : label)}
    </a>
  )
}

/** The main menu. */
export function Navigation({ path }: { path: string }) {
  const me = useMe()
  return (
    <nav class="navigation" id="navigation" aria-label={t("nav.label")}>
      {GROUPS.map((group) => {
        const found = entriesOf(me, group)
        if (found.length === 0) return null
        return (
          <div key={group}>
            {group !== "start" && <h2>{t(`nav.group.${group}`)}</h2>}
            <ul>
              {found.map((entry) => (
                <li key={entry.path}>
                  <NavigationLink entry={entry} path={path} />
                </li>
              ))}
            </ul>
          </div>
        )
      })}
    </nav>
  )
}

/** The tabs of the section of the current page, if it has several. */
export function SectionTabs({ path }: { path: string }) {
  const me = useMe()
  const current = entries.find((view) => path === `/console${view.path}`)
  if (!current || isExpanded(me, current)) return null
  const section = sectionOf(me, current.nav.within ?? current.path)
  if (section.length < 2) return null
  return (
    <nav class="tabs" aria-label={t("nav.sections")} ref={showOpenTab}>
      {section.map((view) => (
        <a key={view.path} href={`/console${view.path}`} aria-current={currentIf(view === current)}>
          {t(view.nav.label)}
        </a>
      ))}
    </nav>
  )
}
