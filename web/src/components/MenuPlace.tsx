/** The container of open menus, inside a landmark. It is never empty, because the library removes an empty one. */
export const MENUS_ID = "menus";

export function MenuPlace() {
  return (
    <div id={MENUS_ID}>
      <span hidden />
    </div>
  );
}
