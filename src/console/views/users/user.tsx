import { useState } from "preact/hooks"
import { useRoute } from "preact-iso"
import { may, mayEdit, useMe } from "../../api/me.tsx"
import { useRead } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Loaded } from "../../ui/error-message.tsx"
import { Page } from "../../ui/page.tsx"
import { Tabs } from "../../ui/tabs.tsx"
import { useAddress } from "../../ui/url-state.ts"
import { EnrollDialog } from "./enroll-dialog.tsx"
import { UserCertificates } from "./user-certificates.tsx"
import { UserEnrollments } from "./user-enrollments.tsx"
import type { User } from "./user-fields.tsx"
import { UserActivity, UserBadges, UserClasses, UserQuizzes } from "./user-learning.tsx"
import { UserCommerce } from "./user-orders.tsx"
import { UserOverview } from "./user-overview.tsx"
import { UserAccount } from "./user-sessions.tsx"
import "./users.css"

interface Part {
  name: string
  title: string
  show: (user: User) => preact.ComponentChildren
}

/** The parts of a user's page that the caller may see. */
function usePartsOf(id: number): Part[] {
  const me = useMe()
  const seesAccount = may(me, "admin") || me.id === id
  return [
    { name: "overview", title: t("users:overview"), show: (user) => <UserOverview user={user} /> },
    { name: "enrollments", title: t("nav.enrollments"), show: (user) => <UserEnrollments user={user} /> },
    { name: "classes", title: t("users:classes"), show: () => <UserClasses id={id} /> },
    { name: "certificates", title: t("users:certificates"), show: () => <UserCertificates id={id} /> },
    { name: "badges", title: t("users:badges"), show: () => <UserBadges id={id} /> },
    { name: "quizzes", title: t("users:quizzes"), show: () => <UserQuizzes id={id} /> },
    { name: "activity", title: t("users:activity"), show: () => <UserActivity id={id} /> },
    ...(seesAccount
      ? [
          { name: "orders", title: t("users:orders"), show: () => <UserCommerce id={id} /> },
          { name: "sessions", title: t("users:devices"), show: () => <UserAccount id={id} /> },
        ]
      : []),
  ]
}

/** Everything about one person. */
export default function UserPage() {
  const me = useMe()
  const id = Number(useRoute().params.id)
  const user = useRead("/api/user/{id}", { params: { path: { id } } })
  const parts = usePartsOf(id)
  const { query } = useAddress()
  const [isEnrolling, setEnrolling] = useState(false)
  const open = parts.find(({ name }) => name === query.tab) ?? parts[0]
  const mayChange = user.data !== undefined && (mayEdit(me, user.data.userType) || me.id === id)
  return (
    <Page
      title={user.data ? `${user.data.firstName} ${user.data.lastName}`.trim() : t("users:user")}
      within={{ href: "/console/users", label: t("users:title") }}
      actions={
        user.data && (
          <>
            <button type="button" onClick={() => setEnrolling(true)}>
              {t("users:enroll")}
            </button>
            {mayChange && (
              <a class="button primary" href={`/console/users/${id}/edit`}>
                {t("edit")}
              </a>
            )}
          </>
        )
      }
    >
      <Loaded of={user}>
        {(read) => (
          <>
            <Tabs label={t("users:tabs")} tabs={parts} open={open?.name ?? ""} />
            {open?.show(read)}
            {isEnrolling && <EnrollDialog userIds={[id]} onClose={() => setEnrolling(false)} />}
          </>
        )}
      </Loaded>
    </Page>
  )
}
