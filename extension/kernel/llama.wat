;; The arithmetic of one token by a llama with int8 weights, on the memory of ONNX Runtime.
;;
;; ONNX Runtime's int8 product for WebAssembly packs the whole matrix anew at every call. The tokens of a prompt
;; share that; for a single token it is most of the time. Here a matrix is read once, in the order in which it lies
;; in memory. Sums of integers are exact, so products equal those of the runtime to the last bit; sums of floats are
;; taken in another order. Vectors are float32 unless said, and their sizes multiples of 16.
(module
  (import "env" "memory" (memory 1 65536 shared))

  (func $sum_i32 (param $v v128) (result i32)
    (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $v)) (i32x4.extract_lane 1 (local.get $v)))
      (i32.add (i32x4.extract_lane 2 (local.get $v)) (i32x4.extract_lane 3 (local.get $v)))))

  (func $sum_f32 (param $v v128) (result f32)
    (f32.add
      (f32.add (f32x4.extract_lane 0 (local.get $v)) (f32x4.extract_lane 1 (local.get $v)))
      (f32.add (f32x4.extract_lane 2 (local.get $v)) (f32x4.extract_lane 3 (local.get $v)))))

  (func $least (param $v v128) (result f32)
    (f32.min
      (f32.min (f32x4.extract_lane 0 (local.get $v)) (f32x4.extract_lane 1 (local.get $v)))
      (f32.min (f32x4.extract_lane 2 (local.get $v)) (f32x4.extract_lane 3 (local.get $v)))))

  (func $largest (param $v v128) (result f32)
    (f32.max
      (f32.max (f32x4.extract_lane 0 (local.get $v)) (f32x4.extract_lane 1 (local.get $v)))
      (f32.max (f32x4.extract_lane 2 (local.get $v)) (f32x4.extract_lane 3 (local.get $v)))))

  ;; e^x, within 2 units of the last place: 2^n times a polynomial for the rest, which is at most ln(2) / 2
  ;; (Cephes, expf). Below -87 it gives 1.6e-38.
  (func $exp (param $x v128) (result v128)
    (local $n v128) (local $square v128) (local $p v128)
    (local.set $x (f32x4.min (f32x4.max (local.get $x) (v128.const f32x4 -87 -87 -87 -87))
      (v128.const f32x4 88 88 88 88)))
    (local.set $n (f32x4.nearest (f32x4.mul (local.get $x)
      (v128.const f32x4 1.44269504 1.44269504 1.44269504 1.44269504))))
    (local.set $x (f32x4.sub
      (f32x4.sub (local.get $x)
        (f32x4.mul (local.get $n) (v128.const f32x4 0.693359375 0.693359375 0.693359375 0.693359375)))
      (f32x4.mul (local.get $n) (v128.const f32x4 -2.12194440e-4 -2.12194440e-4 -2.12194440e-4 -2.12194440e-4))))
    (local.set $square (f32x4.mul (local.get $x) (local.get $x)))
    (local.set $p (v128.const f32x4 1.9875691500e-4 1.9875691500e-4 1.9875691500e-4 1.9875691500e-4))
    (local.set $p (f32x4.add (f32x4.mul (local.get $p) (local.get $x))
      (v128.const f32x4 1.3981999507e-3 1.3981999507e-3 1.3981999507e-3 1.3981999507e-3)))
    (local.set $p (f32x4.add (f32x4.mul (local.get $p) (local.get $x))
      (v128.const f32x4 8.3334519073e-3 8.3334519073e-3 8.3334519073e-3 8.3334519073e-3)))
    (local.set $p (f32x4.add (f32x4.mul (local.get $p) (local.get $x))
      (v128.const f32x4 4.1665795894e-2 4.1665795894e-2 4.1665795894e-2 4.1665795894e-2)))
    (local.set $p (f32x4.add (f32x4.mul (local.get $p) (local.get $x))
      (v128.const f32x4 1.6666665459e-1 1.6666665459e-1 1.6666665459e-1 1.6666665459e-1)))
    (local.set $p (f32x4.add (f32x4.mul (local.get $p) (local.get $x))
      (v128.const f32x4 5.0000001201e-1 5.0000001201e-1 5.0000001201e-1 5.0000001201e-1)))
    (local.set $p (f32x4.add (f32x4.add (f32x4.mul (local.get $p) (local.get $square)) (local.get $x))
      (v128.const f32x4 1 1 1 1)))
    (f32x4.mul (local.get $p)
      (i32x4.shl
        (i32x4.add (i32x4.trunc_sat_f32x4_s (local.get $n)) (v128.const i32x4 127 127 127 127))
        (i32.const 23))))

  ;; out[i] = codes[i] * scale: a row of the table of embeddings; codes int8 (n)
  (func (export "dequantize") (param $codes i32) (param $scale f32) (param $out i32) (param $n i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $codes) (local.get $n)))
    (loop $next
      (v128.store (local.get $out)
        (f32x4.mul
          (f32x4.convert_i32x4_s
            (i32x4.extend_low_i16x8_s (i16x8.extend_low_i8x16_s (v128.load32_zero (local.get $codes)))))
          (f32x4.splat (local.get $scale))))
      (local.set $codes (i32.add (local.get $codes) (i32.const 4)))
      (local.set $out (i32.add (local.get $out) (i32.const 16)))
      (br_if $next (i32.lt_u (local.get $codes) (local.get $end)))))

  ;; Copies bytes.
  (func (export "copy") (param $to i32) (param $from i32) (param $size i32)
    (memory.copy (local.get $to) (local.get $from) (local.get $size)))

  ;; x[i] += y[i]
  (func (export "add") (param $x i32) (param $y i32) (param $n i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $x) (i32.shl (local.get $n) (i32.const 2))))
    (loop $next
      (v128.store (local.get $x) (f32x4.add (v128.load (local.get $x)) (v128.load (local.get $y))))
      (local.set $x (i32.add (local.get $x) (i32.const 16)))
      (local.set $y (i32.add (local.get $y) (i32.const 16)))
      (br_if $next (i32.lt_u (local.get $x) (local.get $end)))))

  ;; out[i] = weights[i] * x[i] / sqrt(mean(x^2) + epsilon)
  (func (export "normalize")
    (param $x i32) (param $weights i32) (param $epsilon f32) (param $out i32) (param $n i32)
    (local $at i32) (local $end i32) (local $squares v128) (local $factor v128)
    (local.set $at (local.get $x))
    (local.set $end (i32.add (local.get $x) (i32.shl (local.get $n) (i32.const 2))))
    (loop $next
      (local.set $squares (f32x4.add (local.get $squares)
        (f32x4.mul (v128.load (local.get $at)) (v128.load (local.get $at)))))
      (br_if $next (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $end))))
    (local.set $factor (f32x4.splat (f32.div (f32.const 1) (f32.sqrt (f32.add (local.get $epsilon)
      (f32.div (call $sum_f32 (local.get $squares)) (f32.convert_i32_s (local.get $n))))))))
    (loop $next
      (v128.store (local.get $out)
        (f32x4.mul (f32x4.mul (v128.load (local.get $x)) (local.get $factor)) (v128.load (local.get $weights))))
      (local.set $weights (i32.add (local.get $weights) (i32.const 16)))
      (local.set $out (i32.add (local.get $out) (i32.const 16)))
      (br_if $next (i32.lt_u (local.tee $x (i32.add (local.get $x) (i32.const 16))) (local.get $end)))))

  ;; out[i] = round(x[i] / scale), int16, and the scale: as DynamicQuantizeLinear with its zero point taken off.
  ;; A scale that spans 0 and all of x in 255 steps; ties to even.
  (func (export "quantize") (param $x i32) (param $out i32) (param $n i32) (result f32)
    (local $at i32) (local $end i32) (local $low v128) (local $high v128) (local $scale f32) (local $zero f32)
    (local $divisor v128)
    (local.set $at (local.get $x))
    (local.set $end (i32.add (local.get $x) (i32.shl (local.get $n) (i32.const 2))))
    (loop $next
      (local.set $low (f32x4.min (local.get $low) (v128.load (local.get $at))))
      (local.set $high (f32x4.max (local.get $high) (v128.load (local.get $at))))
      (br_if $next (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $end))))
    (local.set $scale
      (f32.div (f32.sub (call $largest (local.get $high)) (call $least (local.get $low))) (f32.const 255)))
    (if (f32.eq (local.get $scale) (f32.const 0)) (then (local.set $scale (f32.const 1))))
    (local.set $zero (f32.nearest (f32.div (call $least (local.get $low)) (local.get $scale))))
    (local.set $low (f32x4.splat (local.get $zero)))
    (local.set $high (f32x4.splat (f32.add (f32.const 255) (local.get $zero))))
    (local.set $divisor (f32x4.splat (local.get $scale)))
    (loop $next
      (v128.store (local.get $out)
        (i16x8.narrow_i32x4_s
          (i32x4.trunc_sat_f32x4_s (f32x4.min (local.get $high) (f32x4.max (local.get $low)
            (f32x4.nearest (f32x4.div (v128.load (local.get $x)) (local.get $divisor))))))
          (i32x4.trunc_sat_f32x4_s (f32x4.min (local.get $high) (f32x4.max (local.get $low)
            (f32x4.nearest (f32x4.div (v128.load offset=16 (local.get $x)) (local.get $divisor))))))))
      (local.set $out (i32.add (local.get $out) (i32.const 16)))
      (br_if $next (i32.lt_u (local.tee $x (i32.add (local.get $x) (i32.const 32))) (local.get $end))))
    (local.get $scale))

  ;; Stores the four numbers of 32 bits a row apart, and returns where the next one goes.
  (func $store_four (param $to i32) (param $row i32) (param $v v128) (result i32)
    (v128.store32_lane 0 (local.get $to) (local.get $v))
    (v128.store32_lane 1 (local.tee $to (i32.add (local.get $to) (local.get $row))) (local.get $v))
    (v128.store32_lane 2 (local.tee $to (i32.add (local.get $to) (local.get $row))) (local.get $v))
    (v128.store32_lane 3 (local.tee $to (i32.add (local.get $to) (local.get $row))) (local.get $v))
    (i32.add (local.get $to) (local.get $row)))

  ;; out[j,i] = m[i,j]; m int8 (n_rows, n_columns), out (n_columns, n_rows). Four rows are interleaved at a time, so
  ;; that four bytes of a column are stored at once.
  (func (export "transpose") (param $m i32) (param $out i32) (param $n_rows i32) (param $n_columns i32)
    (local $from i32) (local $from_end i32) (local $to i32) (local $end i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local $e v128) (local $f v128) (local $g v128) (local $h v128)
    (local.set $end (i32.add (local.get $out) (local.get $n_rows)))
    (loop $rows
      (local.set $from (local.get $m))
      (local.set $from_end (i32.add (local.get $m) (local.get $n_columns)))
      (local.set $to (local.get $out))
      (loop $columns
        (local.set $a (v128.load (local.get $from)))
        (local.set $c (v128.load (i32.add (local.get $from) (local.get $n_columns))))
        (local.set $b (v128.load (i32.add (local.get $from) (i32.shl (local.get $n_columns) (i32.const 1)))))
        (local.set $d (v128.load (i32.add (local.get $from) (i32.mul (local.get $n_columns) (i32.const 3)))))
        (local.set $e (i8x16.shuffle 0 16 1 17 2 18 3 19 4 20 5 21 6 22 7 23 (local.get $a) (local.get $c)))
        (local.set $f (i8x16.shuffle 8 24 9 25 10 26 11 27 12 28 13 29 14 30 15 31 (local.get $a) (local.get $c)))
        (local.set $g (i8x16.shuffle 0 16 1 17 2 18 3 19 4 20 5 21 6 22 7 23 (local.get $b) (local.get $d)))
        (local.set $h (i8x16.shuffle 8 24 9 25 10 26 11 27 12 28 13 29 14 30 15 31 (local.get $b) (local.get $d)))
        (local.set $to (call $store_four (local.get $to) (local.get $n_rows)
          (i8x16.shuffle 0 1 16 17 2 3 18 19 4 5 20 21 6 7 22 23 (local.get $e) (local.get $g))))
        (local.set $to (call $store_four (local.get $to) (local.get $n_rows)
          (i8x16.shuffle 8 9 24 25 10 11 26 27 12 13 28 29 14 15 30 31 (local.get $e) (local.get $g))))
        (local.set $to (call $store_four (local.get $to) (local.get $n_rows)
          (i8x16.shuffle 0 1 16 17 2 3 18 19 4 5 20 21 6 7 22 23 (local.get $f) (local.get $h))))
        (local.set $to (call $store_four (local.get $to) (local.get $n_rows)
          (i8x16.shuffle 8 9 24 25 10 11 26 27 12 13 28 29 14 15 30 31 (local.get $f) (local.get $h))))
        (br_if $columns
          (i32.lt_u (local.tee $from (i32.add (local.get $from) (i32.const 16))) (local.get $from_end))))
      (local.set $m (i32.add (local.get $m) (i32.shl (local.get $n_columns) (i32.const 2))))
      (br_if $rows (i32.lt_u (local.tee $out (i32.add (local.get $out) (i32.const 4))) (local.get $end)))))

  ;; out[i] = (sum_j m[i,j] * x[j]) * (scales[i] * factor)
  ;;
  ;; m int8 (n_rows, n_columns), x int16 (n_columns) as `quantize` makes it, out and scales (n_rows); n_rows may be
  ;; any number. With inputs for rows, as the runtime has matrices, the same sums took twice as long.
  (func (export "multiply")
    (param $x i32) (param $m i32) (param $scales i32) (param $factor f32) (param $out i32)
    (param $n_rows i32) (param $n_columns i32)
    (local $at i32) (local $x_end i32) (local $out_end i32) (local $codes v128)
    (local $low v128) (local $high v128)
    (local.set $x_end (i32.add (local.get $x) (i32.shl (local.get $n_columns) (i32.const 1))))
    (local.set $out_end (i32.add (local.get $out) (i32.shl (local.get $n_rows) (i32.const 2))))
    (loop $rows
      (local.set $low (v128.const i32x4 0 0 0 0))
      (local.set $high (v128.const i32x4 0 0 0 0))
      (local.set $at (local.get $x))
      (loop $columns
        (local.set $codes (v128.load (local.get $m)))
        (local.set $low (i32x4.add (local.get $low)
          (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $codes)) (v128.load (local.get $at)))))
        (local.set $high (i32x4.add (local.get $high)
          (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $codes)) (v128.load offset=16 (local.get $at)))))
        (local.set $m (i32.add (local.get $m) (i32.const 16)))
        (br_if $columns (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 32))) (local.get $x_end))))
      (f32.store (local.get $out)
        (f32.mul
          (f32.convert_i32_s (call $sum_i32 (i32x4.add (local.get $low) (local.get $high))))
          (f32.mul (f32.load (local.get $scales)) (local.get $factor))))
      (local.set $scales (i32.add (local.get $scales) (i32.const 4)))
      (br_if $rows (i32.lt_u (local.tee $out (i32.add (local.get $out) (i32.const 4))) (local.get $out_end)))))

  ;; The two halves of each of n heads, rotated as the token's place says; cosines and sines (width / 2).
  (func (export "rotate")
    (param $heads i32) (param $cosines i32) (param $sines i32) (param $n i32) (param $width i32)
    (local $half i32) (local $end i32) (local $place i32)
    (local $first v128) (local $second v128) (local $cosine v128) (local $sine v128)
    (local.set $half (i32.shl (local.get $width) (i32.const 1)))
    (local.set $end (i32.add (local.get $heads)
      (i32.mul (i32.shl (local.get $n) (i32.const 1)) (local.get $half))))
    (loop $head
      (local.set $place (i32.const 0))
      (loop $next
        (local.set $first (v128.load (local.get $heads)))
        (local.set $second (v128.load (i32.add (local.get $heads) (local.get $half))))
        (local.set $cosine (v128.load (i32.add (local.get $cosines) (local.get $place))))
        (local.set $sine (v128.load (i32.add (local.get $sines) (local.get $place))))
        (v128.store (local.get $heads)
          (f32x4.sub (f32x4.mul (local.get $first) (local.get $cosine))
            (f32x4.mul (local.get $second) (local.get $sine))))
        (v128.store (i32.add (local.get $heads) (local.get $half))
          (f32x4.add (f32x4.mul (local.get $first) (local.get $sine))
            (f32x4.mul (local.get $second) (local.get $cosine))))
        (local.set $heads (i32.add (local.get $heads) (i32.const 16)))
        (br_if $next
          (i32.lt_u (local.tee $place (i32.add (local.get $place) (i32.const 16))) (local.get $half))))
      (local.set $heads (i32.add (local.get $heads) (local.get $half)))
      (br_if $head (i32.lt_u (local.get $heads) (local.get $end)))))

  ;; out = sum_t softmax(scale * query . keys[t]) * values[t], for one head
  ;;
  ;; query and out (width); keys and values (n, width); weights: room for n numbers and three more.
  (func (export "attend")
    (param $query i32) (param $keys i32) (param $values i32) (param $scale f32) (param $weights i32)
    (param $out i32) (param $n i32) (param $width i32)
    (local $at i32) (local $end i32) (local $last i32) (local $q i32) (local $query_end i32) (local $row i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128) (local $sum v128) (local $most v128)
    (local.set $row (i32.shl (local.get $width) (i32.const 2)))
    (local.set $query_end (i32.add (local.get $query) (local.get $row)))
    (local.set $end (i32.add (local.get $weights) (i32.shl (local.get $n) (i32.const 2))))
    (local.set $at (local.get $weights))
    (loop $tokens
      (local.set $q (local.get $query))
      (local.set $a (v128.const f32x4 0 0 0 0))
      (local.set $b (v128.const f32x4 0 0 0 0))
      (local.set $c (v128.const f32x4 0 0 0 0))
      (local.set $d (v128.const f32x4 0 0 0 0))
      (loop $next
        (local.set $a (f32x4.add (local.get $a)
          (f32x4.mul (v128.load (local.get $q)) (v128.load (local.get $keys)))))
        (local.set $b (f32x4.add (local.get $b)
          (f32x4.mul (v128.load offset=16 (local.get $q)) (v128.load offset=16 (local.get $keys)))))
        (local.set $c (f32x4.add (local.get $c)
          (f32x4.mul (v128.load offset=32 (local.get $q)) (v128.load offset=32 (local.get $keys)))))
        (local.set $d (f32x4.add (local.get $d)
          (f32x4.mul (v128.load offset=48 (local.get $q)) (v128.load offset=48 (local.get $keys)))))
        (local.set $keys (i32.add (local.get $keys) (i32.const 64)))
        (br_if $next (i32.lt_u (local.tee $q (i32.add (local.get $q) (i32.const 64))) (local.get $query_end))))
      (f32.store (local.get $at)
        (f32.mul (local.get $scale)
          (call $sum_f32 (f32x4.add
            (f32x4.add (local.get $a) (local.get $b)) (f32x4.add (local.get $c) (local.get $d))))))
      (br_if $tokens (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 4))) (local.get $end))))
    ;; The three behind the last weigh nothing, so that four can be taken at a time.
    (v128.store (local.get $end) (v128.const f32x4 -inf -inf -inf -inf))
    (local.set $most (v128.load (local.get $weights)))
    (local.set $at (local.get $weights))
    (loop $next
      (local.set $most (f32x4.max (local.get $most) (v128.load (local.get $at))))
      (br_if $next (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $end))))
    (local.set $most (f32x4.splat (call $largest (local.get $most))))
    (local.set $at (local.get $weights))
    (loop $next
      (local.set $a (call $exp (f32x4.sub (v128.load (local.get $at)) (local.get $most))))
      (v128.store (local.get $at) (local.get $a))
      (local.set $sum (f32x4.add (local.get $sum) (local.get $a)))
      (br_if $next (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $end))))
    (local.set $sum (f32x4.splat (f32.div (f32.const 1) (call $sum_f32 (local.get $sum)))))
    (local.set $last (i32.add (local.get $out) (local.get $row)))
    (loop $columns
      (local.set $a (v128.const f32x4 0 0 0 0))
      (local.set $b (v128.const f32x4 0 0 0 0))
      (local.set $c (v128.const f32x4 0 0 0 0))
      (local.set $d (v128.const f32x4 0 0 0 0))
      (local.set $q (local.get $values))
      (local.set $at (local.get $weights))
      (loop $tokens
        (local.set $most (v128.load32_splat (local.get $at)))
        (local.set $a (f32x4.add (local.get $a) (f32x4.mul (local.get $most) (v128.load (local.get $q)))))
        (local.set $b (f32x4.add (local.get $b) (f32x4.mul (local.get $most) (v128.load offset=16 (local.get $q)))))
        (local.set $c (f32x4.add (local.get $c) (f32x4.mul (local.get $most) (v128.load offset=32 (local.get $q)))))
        (local.set $d (f32x4.add (local.get $d) (f32x4.mul (local.get $most) (v128.load offset=48 (local.get $q)))))
        (local.set $q (i32.add (local.get $q) (local.get $row)))
        (br_if $tokens (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 4))) (local.get $end))))
      (v128.store (local.get $out) (f32x4.mul (local.get $a) (local.get $sum)))
      (v128.store offset=16 (local.get $out) (f32x4.mul (local.get $b) (local.get $sum)))
      (v128.store offset=32 (local.get $out) (f32x4.mul (local.get $c) (local.get $sum)))
      (v128.store offset=48 (local.get $out) (f32x4.mul (local.get $d) (local.get $sum)))
      (local.set $values (i32.add (local.get $values) (i32.const 64)))
      (br_if $columns (i32.lt_u (local.tee $out (i32.add (local.get $out) (i32.const 64))) (local.get $last)))))

  ;; gate[i] = gate[i] / (1 + e^-gate[i]) * up[i]
  (func (export "gate") (param $gate i32) (param $up i32) (param $n i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $gate) (i32.shl (local.get $n) (i32.const 2))))
    (loop $next
      (v128.store (local.get $gate)
        (f32x4.mul (v128.load (local.get $up))
          (f32x4.div (v128.load (local.get $gate))
            (f32x4.add (v128.const f32x4 1 1 1 1) (call $exp (f32x4.neg (v128.load (local.get $gate))))))))
      (local.set $up (i32.add (local.get $up) (i32.const 16)))
      (br_if $next (i32.lt_u (local.tee $gate (i32.add (local.get $gate) (i32.const 16))) (local.get $end))))))
