import { expect, test } from "vitest";
import { freePlace } from "./free-place";

const notice = { width: 300, height: 50 };
const desk = { width: 1440, height: 900 };
const phone = { width: 390, height: 800 };

test("a notice lies in the lower right corner where nothing else does", () => {
  expect(freePlace(notice, desk, [], 16)).toEqual({ left: 1124, top: 834 });
});

test("a notice moves aside for a button, and upwards where the whole row is taken", () => {
  const button = { left: 1300, top: 850, width: 100, height: 32 };
  expect(freePlace(notice, desk, [button], 16)).toEqual({ left: 570, top: 834 });
  const bar = { left: 0, top: 840, width: 1440, height: 60 };
  const place = freePlace(notice, desk, [bar], 16);
  expect(place.left).toBe(1124);
  expect(place.top + notice.height).toBeLessThanOrEqual(840);
});

test("a phone has one column, and a crowded screen its corner", () => {
  const wide = { width: 358, height: 50 };
  expect(freePlace(wide, phone, [{ left: 16, top: 740, width: 358, height: 40 }], 16)).toEqual({ left: 16, top: 686 });
  expect(freePlace(wide, phone, [{ left: 0, top: 0, ...phone }], 16)).toEqual({ left: 16, top: 734 });
});
