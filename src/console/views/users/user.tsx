import { useState } from "preact/hooks"
import { useRoute } from "preact-iso"
import { canEditUser, hasAccess, useMe } from "../../api/me.tsx"
import { useRead } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { failedTitle, Loaded } from "../../ui/error-message.tsx"
import { Page } from "../../ui/page.tsx"
import { Tabs } from "../../ui/tabs.tsx"
import { useUrlState } from "../../ui/url-state.ts"
import { part } from "../part.tsx"
import { EnrollDialog } from "./enroll-dialog.tsx"
import { UserCertificates } from "./user-certificates.tsx"
import { UserEnrollments } from "./user-enrollments.tsx"
import type { User } from "./user-fields.tsx"
import { UserActivity, UserBadges, UserQuizzes } from "./user-learning.tsx"
import { UserOverview } from "./user-overview.tsx"
import { UserSessions } from "./user-sessions.tsx"
import { UserTranscript } from "./user-transcript.tsx"
import "./users.css"

/** With the messages of the areas that name their statuses. */
const UserClasses = part("classes", () => import("./user-classes.tsx"))
const UserOrders = part("billing", () => import("./user-orders.tsx"))

interface Tab {
  name: string
  title: string
  render: (user: User) => preact.ComponentChildren
}

/** The tabs that the caller may see. */
function useTabs(id: number): Tab[] {
  const me = useMe()
  const canSeeAccount = hasAccess(me, "admin") || me.id === id
  return [
    { name: "overview", title: t("users:overview"), render: (user) => <UserOverview user={user} /> },
    { name: "enrollments", title: t("users:enrollments"), render: (user) => <UserEnrollments user={user} /> },
    { name: "classes", title: t("users:classes"), render: () => <UserClasses id={id} /> },
    { name: "transcript", title: t("users:transcript"), render: () => <UserTranscript id={id} /> },
    { name: "certificates", title: t("users:certificates"), render: () => <UserCertificates id={id} /> },
    { name: "badges", title: t("users:badges"), render: () => <UserBadges id={id} /> },
    { name: "quizzes", title: t("users:quizzes"), render: () => <UserQuizzes id={id} /> },
    { name: "activity", title: t("users:activity"), render: () => <UserActivity id={id} /> },
    ...(canSeeAccount
      ? [
          { name: "orders", title: t("users:orders"), render: () => <UserOrders id={id} /> },
          { name: "sessions", title: t("users:devices"), render: () => <UserSessions id={id} /> },
        ]
      : []),
  ]
}

function UserView({ id }: { id: number }) {
  const me = useMe()
  const user = useRead("/api/user/{id}", { params: { path: { id } } })
  const tabs = useTabs(id)
  const { query } = useUrlState()
  const [isEnrolling, setEnrolling] = useState(false)
  const open = tabs.find(({ name }) => name === query.tab) ?? tabs[0]
  const canEdit = user.data !== undefined && (canEditUser(me, user.data.userType) || me.id === id)
  return (
    <Page
      title={failedTitle(user) ?? (user.data ? `${user.data.firstName} ${user.data.lastName}`.trim() : t("users:user"))}
      parent={{ href: "/console/users", label: t("users:title") }}
      actions={
        user.data && (
          <>
            {canEdit && (
              <a class="button" href={`/console/users/${id}/edit`}>
                {t("edit")}
              </a>
            )}
            <button type="button" class="primary" onClick={() => setEnrolling(true)}>
              {t("users:enroll")}
            </button>
          </>
        )
      }
    >
      <Loaded query={user}>
        {(loaded) => (
          <>
            <Tabs label={t("users:tabs")} tabs={tabs} open={open?.name ?? ""} />
            {open?.render(loaded)}
            {isEnrolling && <EnrollDialog userIds={[id]} onClose={() => setEnrolling(false)} />}
          </>
        )}
      </Loaded>
    </Page>
  )
}

/** The router keeps the component from user to user: the key discards what belongs to another one. */
export default function UserPage() {
  const { id } = useRoute().params
  return <UserView key={id} id={Number(id)} />
}
