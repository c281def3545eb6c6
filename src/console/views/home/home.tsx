import { hasAccess, useMe } from "../../api/me.tsx"
import { useRead } from "../../api/queries.ts"
import { view } from "../view.ts"

type Props<Module> = Module extends { default: (props: infer P) => unknown } ? P : never

const StaffHome = view<Props<typeof import("./staff-home.tsx")>>("home", () => import("./staff-home.tsx"))
const LearnerHome = view<Props<typeof import("./learner-home.tsx")>>("learner", () => import("./learner-home.tsx"))

/** The home page of staff or learners. The data loads beside the code. */
export function Home() {
  const isStaff = hasAccess(useMe(), "staff")
  const staff = useRead("/api/home", {}, { enabled: isStaff, isVolatile: true })
  const own = useRead("/api/me/home", {}, { enabled: !isStaff })
  return isStaff ? <StaffHome home={staff} /> : <LearnerHome home={own} />
}
