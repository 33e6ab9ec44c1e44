/** Where menus open: a place within the page's landmark, that is never quite empty (the library takes an empty one away). */
export const MENUS_ID = "menus";

export function MenuPlace() {
  return (
    <div id={MENUS_ID}>
      <span hidden />
    </div>
  );
}
