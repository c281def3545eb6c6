import { canEditUser, hasAccess, useMe } from "../../api/me.tsx"
import { useRead } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import { Loaded } from "../../ui/error-message.tsx"
import { roleAbout, roleName } from "../../ui/role-about.ts"
import { Time, TimeAgo } from "../../ui/time.tsx"
import { AccountActions, useTwoFactor } from "./account-actions.tsx"
import { PersonalData } from "./personal-data.tsx"
import type { User } from "./user-fields.tsx"

const Fact = ({ name, children }: { name: string; children: preact.ComponentChildren }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
)

/** The value of a custom field, with option labels. */
const displayValue = ({ type, submitted_value, option_label, option_value }: User["customUserMetas"][string]) =>
  type === "date" ? (
    <Time value={submitted_value} />
  ) : option_value && submitted_value ? (
    submitted_value
      .split(",")
      .map((value) => option_label?.[option_value.indexOf(value)] ?? value)
      .join(", ")
  ) : (
    submitted_value || t("none")
  )

function Profile({ user }: { user: User }) {
  const twoFactor = useTwoFactor(user)
  const portals = useRead("/api/user/portals", { params: { query: { userId: user.id } } })
  return (
    <section class="card" aria-labelledby="user-profile">
      <h2 id="user-profile">{t("users:profile")}</h2>
      <dl class="facts">
        <Fact name={t("users:email")}>{user.email}</Fact>
        <Fact name={t("users:role")}>
          {roleName(user.userType)}
          <p class="quiet">{roleAbout(user.userType)}</p>
        </Fact>
        <Fact name={t("users:account-status")}>{user.disabled ? t("users:suspended") : t("users:active")}</Fact>
        <Fact name={t("users:last-login")}>
          <TimeAgo value={user.lastLoginAt} />
        </Fact>
        <Fact name={t("users:membership")}>
          {user.membership?.name ?? t("none")}
          {user.membership?.expiryDate && (
            <>
              {" · "}
              {t("users:expires")} <Time value={user.membership.expiryDate} />
            </>
          )}
        </Fact>
        {twoFactor.data && (
          <Fact name={t("users:two-factor")}>
            {twoFactor.data.is2FactorAuthActive ? t("users:two-factor.on") : t("users:two-factor.off")}
          </Fact>
        )}
        <Fact name={t("users:portals")}>{portals.data?.portals.map(({ name }) => name).join(", ") || t("none")}</Fact>
        {Object.entries(user.customUserMetas).map(([key, meta]) => (
          <Fact key={key} name={meta.label}>
            {displayValue(meta)}
          </Fact>
        ))}
        {user.internal_note && <Fact name={t("users:note")}>{user.internal_note}</Fact>}
      </dl>
    </section>
  )
}

function Learning({ id }: { id: number }) {
  const statistics = useRead("/api/user/dashboard/statistics", { params: { query: { user_id: id } } })
  return (
    <section class="card" aria-labelledby="learning">
      <h2 id="learning">{t("users:learning")}</h2>
      <Loaded query={statistics}>
        {({ totalCourses, completedCourses, inProgressCourses, notStartedCourses, timeSpent }) => (
          <dl class="facts">
            <Fact name={t("users:courses")}>{number(totalCourses)}</Fact>
            <Fact name={t("status.completed")}>{number(completedCourses)}</Fact>
            <Fact name={t("status.in-progress")}>{number(inProgressCourses)}</Fact>
            <Fact name={t("status.not-started")}>{number(notStartedCourses)}</Fact>
            <Fact name={t("users:time-spent")}>
              {t("users:hours", { hours: number(timeSpent.hours), minutes: number(timeSpent.minutes) })}
            </Fact>
          </dl>
        )}
      </Loaded>
    </section>
  )
}

/** Profile, learning statistics, account actions and personal data of a user. */
export function UserOverview({ user }: { user: User }) {
  const me = useMe()
  const isSelf = me.id === user.id
  const canErase = hasAccess(me, "admin") && canEditUser(me, user.userType) && !isSelf
  const { id, email } = user
  return (
    <div class="in-order">
      <div class="cards in-order">
        <Profile user={user} />
        <Learning id={id} />
      </div>
      <AccountActions user={user} />
      {(canErase || isSelf) && (
        <PersonalData user={{ id, email, name: `${user.firstName} ${user.lastName}`.trim() }} canErase={canErase} />
      )}
    </div>
  )
}
